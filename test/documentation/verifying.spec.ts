import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { SECRET_PATTERN, signatureHeaders, type DeliveryId } from '@form-webhooks/domain';
import { verifyReplayWindow, verifySignature } from '@form-webhooks/receiver';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { SNIPPETS } from '../../apps/dashboard/src/endpoints/secret/verify-snippets.js';
import { readText, ROOT } from './repository.js';

const page = readText('docs/verifying.md');

interface Vector {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** The texts of a page's fenced blocks of one language. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block]) => block!);

const vectors: Vector[] = blocks(page, 'http').map((block) => {
  const [head, body] = block.trimEnd().split('\n\n');
  return { headers: Object.fromEntries(head!.split('\n').map((line) => line.split(': '))), body: body! };
});

const secrets = [...new Set(page.match(/whsec_[A-Za-z0-9+/]{43}=/g))];
const [secret, secretBefore] = secrets as [string, string];
const [plain, overlapping] = vectors as [Vector, Vector];
/** What somebody without the secret sends to a receiver that was given none. */
const EMPTY = createHmac('sha256', '').update(plain.body).digest('hex');

describe('the test vectors of docs/verifying.md', () => {
  it('are two, with secrets as ours are', () => {
    expect(vectors).toHaveLength(2);
    expect(secrets).toEqual([expect.stringMatching(SECRET_PATTERN), expect.stringMatching(SECRET_PATTERN)]);
  });

  it.each([
    ['with one secret', plain, [secret]],
    ['during an overlap', overlapping, [secret, secretBefore]],
  ])('are what we sign %s', (_name, { headers, body }, signing) => {
    const signed = signatureHeaders({
      secrets: signing,
      deliveryId: headers['webhook-id'] as DeliveryId,
      unixSeconds: Number(headers['webhook-timestamp']),
      body: Buffer.from(body),
      signatureHeader: 'X-Service-Signature',
    });
    expect(signed).toEqual(headers);
    const { delivery_id, timestamp } = JSON.parse(body);
    expect([delivery_id, String(timestamp)]).toEqual([headers['webhook-id'], headers['webhook-timestamp']]);
  });

  it('verify by the kit for receivers and by the Standard Webhooks library, with either secret of an overlap', () => {
    const { headers, body } = overlapping;
    expect(verifySignature(body, headers['X-Service-Signature'], secret)).toBe(true);
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000);
    try {
      expect(verifyReplayWindow(Number(headers['webhook-timestamp']))).toBe(true);
      for (const one of secrets) expect(() => new Webhook(one).verify(body, headers)).not.toThrow();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('code that receivers copy', () => {
  // Within the repository, so that its packages are found.
  mkdirSync(join(ROOT, '.local'), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(ROOT, '.local/tried-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a module and gives what it printed. */
  function run(code: string): unknown {
    const file = join(folder, 'tried.mjs');
    writeFileSync(file, code);
    return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
  }

  const setting = `
    const secret = ${JSON.stringify(secret)}, rawBody = Buffer.from(${JSON.stringify(plain.body)});
    const signature = ${JSON.stringify(plain.headers['X-Service-Signature'])};`;

  it('in docs/verifying.md accepts a genuine request alone', () => {
    const [verify] = blocks(page, 'js');
    const asked = `[isGenuine(rawBody, signature, secret), isGenuine(Buffer.from('{}'), signature, secret),
      isGenuine(rawBody, undefined, secret), isGenuine(rawBody, signature, secret + 'x')]`;
    expect(run(`${verify}\n${setting}\nconsole.log(JSON.stringify(${asked}))`)).toEqual([true, false, false, false]);
  });

  it('in docs/verifying.md does not work without a secret, with which anybody could sign', () => {
    const [verify] = blocks(page, 'js');
    const asked = `let said; try { said = isGenuine(rawBody, ${JSON.stringify(EMPTY)}, '') } catch { said = 'thrown' }`;
    expect(run(`${verify}\n${setting}\n${asked}\nconsole.log(JSON.stringify(said))`)).toBe('thrown');
  });

  /** What the text of another language prints for the same four questions, and for an empty secret. */
  const printed = (program: string, name: string, code: string): unknown => {
    const file = join(folder, name);
    writeFileSync(file, code);
    const given = [plain.body, plain.headers['X-Service-Signature']!, secret, EMPTY];
    return JSON.parse(execFileSync(program, [file, ...given], { encoding: 'utf8' }));
  };

  /** In the languages whose programs are here, which Node's always is. */
  const OTHERS = [
    {
      language: 'python',
      program: 'python3',
      file: 'tried.py',
      code: (verify: string) => `${verify}
import json, sys
body, signature, secret, empty = sys.argv[1].encode(), *sys.argv[2:]
try:
  unset = is_genuine(body, empty, "")
except ValueError:
  unset = "thrown"
print(json.dumps([is_genuine(body, signature, secret), is_genuine(b"{}", signature, secret),
  is_genuine(body, None, secret), is_genuine(body, signature, secret + "x"), unset]))`,
    },
    {
      language: 'php',
      program: 'php',
      file: 'tried.php',
      code: (verify: string) => `<?php
${verify}[, $body, $signature, $secret, $empty] = $argv;
try { $unset = is_genuine($body, $empty, ''); } catch (ValueError) { $unset = 'thrown'; }
echo json_encode([is_genuine($body, $signature, $secret), is_genuine('{}', $signature, $secret),
  is_genuine($body, null, $secret), is_genuine($body, $signature, $secret . 'x'), $unset]);`,
    },
  ].filter(({ program }) => isThere(program));

  it.each(OTHERS)(
    'in docs/verifying.md accepts a genuine request alone, in $language',
    ({ language, program, file, code }) => {
      const [verify] = blocks(page, language);
      expect(printed(program, file, code(verify!))).toEqual([true, false, false, false, 'thrown']);
    },
  );

  it('in the dashboard is that of docs/verifying.md', () => {
    const [node, library] = blocks(page, 'js');
    const [[python], [php]] = [blocks(page, 'python'), blocks(page, 'php')];
    const wanted = [node, python, php, library].map((code) => code!.trimEnd());
    expect(SNIPPETS.map(({ code }) => code)).toEqual(wanted);
  });

  it('in docs/verifying.md opens an event by the Standard Webhooks library', () => {
    const [, open] = blocks(page, 'js');
    const call = `openEvent(rawBody, ${JSON.stringify(plain.headers)}, secret)`;
    const then = `Date.now = () => ${Number(plain.headers['webhook-timestamp']) * 1_000 + 60_000};`;
    expect(run(`${open}\n${setting}\n${then}\nconsole.log(JSON.stringify(${call}))`)).toMatchObject({
      event: 'submission.created',
    });
  });

  it('in libs/receiver/README.md is a receiver, and outlives whoever goes away in the middle or sends too much', () => {
    const [receiver] = blocks(readText('libs/receiver/README.md'), 'js');
    const before = `${setting}
      import { connect } from 'node:net';
      process.env.WEBHOOK_SECRET = secretThatIsShown;
      Date.now = () => ${Number(plain.headers['webhook-timestamp']) * 1_000};
      const keep = async () => {};
      async function tryIt(port) {
        await new Promise((resolve) => {
          const caller = connect(port, '127.0.0.1');
          caller.write('POST / HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: 9\\r\\n\\r\\n{');
          setTimeout(() => caller.once('close', resolve).destroy(), 100);
        });
        const answers = [];
        const ask = (header, body) =>
          fetch('http://127.0.0.1:' + port, { method: 'POST', headers: { 'x-service-signature': header }, body })
            .then(({ status }) => answers.push(status), () => answers.push('cut off'));
        await ask(signature, Buffer.alloc(3 * 1024 * 1024));
        for (const header of [signature, signature, signature.replace('a', 'b')]) await ask(header, rawBody);
        console.log(JSON.stringify(answers));
        process.exit();
      }`.replace('const secret =', 'const secretThatIsShown =');
    const listening = `.listen(0, '127.0.0.1', function () { tryIt(this.address().port); });`;
    expect(run(`${before}\n${receiver!.replace(/\.listen\(8443\);.*/, listening)}`)).toEqual([
      'cut off',
      204,
      200,
      401,
    ]);
  });

  it('in README.md accepts a genuine request alone', () => {
    const [verify] = blocks(readText('README.md'), 'js');
    const asked = (header: string): unknown =>
      run(`${setting}\nconst request = { headers: ${header} };\n${verify}\nconsole.log(JSON.stringify(genuine))`);
    expect(asked(`{ 'x-service-signature': signature }`)).toBe(true);
    expect(asked(`{ 'x-service-signature': signature.replace('a', 'b') }`)).toBe(false);
    expect(asked('{}')).toBe(false);
  });
});
