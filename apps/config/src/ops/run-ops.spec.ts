import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from './commands/commands.js';
import { findInstallation } from './installation.js';
import { longAborted, runOps } from './run-ops.js';

const ADMIN_KEY = 'the-admin-key-of-the-tests-0123456789';

async function call(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
) {
  const told = { out: '', err: '' };
  const code = await runOps(args, {
    environment,
    folder: emptyFolder(),
    out: (text) => (told.out += text),
    err: (text) => (told.err += text),
    signal,
  });
  return { code, ...told };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-ops-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the command line', () => {
  it.each([[['explode']], [[]]])('ends with 2 and lists what there is, called with %j', async (args) => {
    const { code, out, err } = await call(args);
    expect(code).toBe(2);
    expect(out).toBe('');
    for (const { name } of COMMANDS) expect(err).toContain(`\n  ${name}`);
  });

  it.each([
    [['parked'], 'parked needs list, show, send or drop\n'],
    [['parked', 'explode'], 'parked needs list, show, send or drop, not explode\n'],
    [['keys'], 'keys needs rotate\n'],
    [['backup'], 'backup needs check\n'],
  ])('says what the first word of two needs, and lists those alone, called with %j', async (args, words) => {
    const { code, err } = await call(args);
    expect(code).toBe(2);
    expect(err.startsWith(words)).toBe(true);
    expect(err).toContain(`what to do: see \`${args[0]} --help\``);
    expect(err).toContain(`\n  ${args[0]} `);
    expect(err).not.toContain('\n  doctor');
  });

  it.each([['parked'], ['keys'], ['audit'], ['backup'], ['restore']])(
    'lists what begins with %s if it is asked for help, and ends with 0',
    async (first) => {
      const { code, out, err } = await call([first, '--help']);
      expect(code).toBe(0);
      expect(err).toBe('');
      const listed = COMMANDS.filter(({ name }) => out.includes(`  ${name} `)).map(({ name }) => name);
      expect(listed).toEqual(COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name));
    },
  );

  it.each([[['--help']], [['help']]])('lists every command with what it does, called with %j', async (args) => {
    const { code, out } = await call(args);
    expect(code).toBe(0);
    for (const { summary } of COMMANDS) expect(out).toContain(summary);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'says what %s takes, without an installation',
    async (name, { takes, options = {} }) => {
      const { code, out } = await call([...name.split(' '), '--help']);
      expect(code).toBe(0);
      for (const taken of [...takes, ...Object.keys(options)]) expect(out).toContain(taken);
    },
  );

  it.each([
    [['find'], 'find takes one id\n'],
    [['find', 'evt_1', 'evt_2'], 'find takes one id\n'],
    [['parked', 'show'], 'parked show takes one queue and one id\n'],
    [['audit', 'verify', 'a', 'b'], 'audit verify takes at most one heads_file\n'],
    [['restore', 'check', 'a'], 'restore check takes nothing but options\n'],
    [['doctor', '--colour'], "Unknown option '--colour'\n"],
    [['pause', '--form', 'f_1', '--form', 'f_2'], '--form is given more than once'],
    [['parked', 'list', '--limit', 'all'], '--limit takes a whole number'],
    [['parked', 'send', 'dispatcher.events'], 'is no queue of parked messages'],
    [['replay', 'f_1'], '--state is missing'],
  ])('ends with 2 and says what is wrong with %j', async (args, words) => {
    const { code, err } = await call(args, { ADMIN_API_KEY: ADMIN_KEY });
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(err).toContain('what to do: ');
  });

  it.each([
    [['find'], 'find --help', '<id>'],
    [['parked', 'list', '--colour'], 'parked list --help', '--limit'],
    [['explode'], '--help', 'doctor'],
  ])(
    'sends who calls wrongly with %j to `%s`: people are shown it at once, programs are not',
    async (args, see, shown) => {
      const forPeople = await call(args);
      expect(forPeople.err).toContain(`\n  what to do: see \`${see}\`\n\n`);
      expect(forPeople.err).toContain(shown);
      const { error, advice } = JSON.parse((await call([...args, '--json'])).err) as { error: string; advice: string };
      expect(advice).toBe(`see \`${see}\``);
      expect(error).not.toContain('\n');
    },
  );

  it.each([
    ['events', '0'],
    ['rate', 'x'],
    ['forms', '-1'],
    ['wait', 'x'],
    ['url', 'x'],
  ])('refuses bench --%s=%s before it makes anything in the installation', async (name, value) => {
    // An installation that does not answer: whoever calls it first ends with 3.
    const environment = {
      ADMIN_API_KEY: ADMIN_KEY,
      CONFIG_URL: 'http://127.0.0.1:9',
      INGEST_URL: 'http://127.0.0.1:9',
    };
    const { code, err } = await call(['bench', `--${name}=${value}`], environment);
    expect(code).toBe(2);
    expect(err).toContain(`--${name} `);
  });

  it('ends with 3 where no installation is named, and says how to name one', async () => {
    const { code, err } = await call(['find', 'evt_1']);
    expect(code).toBe(3);
    expect(err).toContain('npm start');
    expect(err).toContain('DATABASE_URL');
  });

  it('ends with 3 where config does not answer, and with --json says so as JSON', async () => {
    const environment = { ADMIN_API_KEY: ADMIN_KEY, CONFIG_URL: 'http://127.0.0.1:9' };
    const { code, out, err } = await call(['find', 'evt_1', '--json'], environment);
    expect(code).toBe(3);
    expect(out).toBe('');
    const { error, advice } = JSON.parse(err) as { error: string; advice: string };
    expect(error).toContain('config does not answer at http://127.0.0.1:9');
    expect(advice).toContain('start config');
  });

  it.each([
    [['--definitions', '-'], '', 'standard input is empty: did the command before the pipe fail?'],
    [['--members', '-', '--nodes', '3'], '\n', 'standard input is empty: did the command before the pipe fail?'],
    [['--definitions', '-'], 'Error: no', 'standard input is not what it should be: '],
    [['--definitions', '-', '--members', '-'], '{}', 'standard input can be --definitions or --members'],
    [['--definitions', '/missing'], '', "/missing can't be read: ENOENT"],
  ])('says what is wrong with what doctor %j is given: %j', async (args, given, words) => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([given]) as typeof process.stdin);
    const { code, err } = await call(['doctor', ...args], { ADMIN_API_KEY: ADMIN_KEY, RABBITMQ_URL: 'amqp://h' });
    expect(code).toBe(2);
    expect(err).toContain(words);
  });

  it.each([
    [['migrate'], 'host and port in MIGRATION_DATABASE_URL'],
    [['audit', 'verify'], 'host and port in DATABASE_URL'],
    [['backup', 'check', '--database', 'postgres://u:p@127.0.0.1:9/d'], 'host and port in --database'],
  ])('names what says where the database is that %j does not find', async (args, words) => {
    const at = (role: string): string => `postgres://${role}:p@127.0.0.1:9/d`;
    const { code, err } = await call(args, { DATABASE_URL: at('config'), MIGRATION_DATABASE_URL: at('owner') });
    expect(code).toBe(3);
    expect(err).toContain(words);
  });

  it('names a setting that it needs and has not', async () => {
    const { code, err } = await call(['migrate'], { ADMIN_API_KEY: ADMIN_KEY });
    expect(code).toBe(3);
    expect(err).toContain('DATABASE_URL is missing');
  });
});

describe('a command after Ctrl-C', () => {
  it.each([
    [undefined, 5_000],
    [60_000, 60_000],
  ])('that may take %j ms to end is ended after %i ms, and not before', async (endsWithinMs, ended) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stopping = new AbortController();
    const told = vi.fn();
    void longAborted(stopping.signal, endsWithinMs).then(told);
    stopping.abort();
    await vi.advanceTimersByTimeAsync(ended - 1);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveBeenCalledWith(130);
  });

  it.each([
    ['find', ['find', 'evt_1'], 130, 'call it again to go on'],
    ['bench, which begins anew', ['bench'], 130, 'DELETE /v1/forms/{form_id} for each'],
    ['replay, which goes on by itself', ['replay', 'f_1', '--state', 'failed', '--yes'], 130, 'ends it'],
    ['tail, which is meant to end so', ['tail', 'f_1'], 0, ''],
  ])('says what to do about it: %s', async (_, args, code, words) => {
    const environment = {
      ADMIN_API_KEY: ADMIN_KEY,
      CONFIG_URL: 'http://127.0.0.1:9',
      INGEST_URL: 'http://127.0.0.1:9',
    };
    const told = await call(args, environment, AbortSignal.abort());
    expect(told.code).toBe(code);
    expect(told.err).toContain(words);
    expect(told.err.includes('call it again')).toBe(words.startsWith('call it again'));
  });

  it('has a minute if it has made something in the installation that it removes', () => {
    expect(COMMANDS.find(({ name }) => name === 'bench')?.endsWithinMs).toBe(60_000);
  });
});

describe('the installation', () => {
  const facts = {
    ...{ config_url: 'http://127.0.0.1:1', admin_key: ADMIN_KEY, database_url: 'postgres://u:p@h/d' },
    ...{ rabbitmq_url: 'amqp://h', secret_keys: 'k1:x', health_urls: { config: 'http://127.0.0.1:2' } },
  };

  function folderOfStack(more: object = {}): string {
    const folder = emptyFolder();
    mkdirSync(join(folder, '.local'));
    writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify({ ...facts, ...more }));
    return folder;
  }

  it('is that of `npm start` in this folder', () => {
    const { environment, source } = findInstallation({ PATH: '/bin', DATABASE_URL: '' }, folderOfStack());
    expect(source).toContain('stack.json');
    expect(environment).toMatchObject({
      ...{ CONFIG_URL: facts.config_url, DATABASE_URL: facts.database_url, SECRET_KEYS: 'k1:x', PATH: '/bin' },
      HEALTH_URLS: 'config=http://127.0.0.1:2',
    });
  });

  it('reaches the database as config does, and migrates as the owner of its tables', () => {
    const runtime_database_url = 'postgres://config:p@h/d';
    const { environment } = findInstallation({}, folderOfStack({ runtime_database_url }));
    expect(environment).toMatchObject({
      DATABASE_URL: runtime_database_url,
      MIGRATION_DATABASE_URL: facts.database_url,
      DATABASE_RUNTIME_ROLE: 'config',
    });
  });

  it.each(['RABBITMQ_URL', 'SECRET_KEYS_FILE', 'CONFIG_URL'])(
    'is that of the environment alone as soon as %s names one: never half of each',
    (name) => {
      const environment = { [name]: 'something' };
      expect(findInstallation(environment, folderOfStack()).environment).toEqual(environment);
    },
  );
});
