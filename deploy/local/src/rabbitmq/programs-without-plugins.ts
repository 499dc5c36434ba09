import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entriesOf } from '../provide/programs.js';
import type { RabbitMqPrograms } from './rabbitmq-programs.js';

/**
 * RabbitMQ's scripts name their own folder without quotes, so a shell splits it at blanks and takes the rest for patterns;
 * in ERL_LIBS colons stand between folders [seen on 3.10.8].
 */
const UNQUOTED = /[\s:*?[\]\\]/;

/**
 * The installed programs, seen through a folder that lacks the plugins, of which none is enabled here. Erlang looks for
 * each of a thousand modules in every folder of them, which takes a third of a start [measured on 3.10.8: 3.5 s of CPU
 * time instead of 5.2 s]. RabbitMQ's scripts find their plugins beside themselves, so they are copied and the rest is
 * linked to; made anew for each start, since the installed version may be another one by then.
 *
 * An installation that isn't laid out like that is used as it is, and so is any where the folder's path is one that those
 * scripts can't be in.
 */
export function withoutPlugins(programs: RabbitMqPrograms, folder: string): RabbitMqPrograms {
  if (UNQUOTED.test(folder)) return programs;
  const scripts = dirname(programs.server);
  const home = dirname(scripts);
  const libraries = librariesIn(join(home, 'plugins'));
  if (!libraries.some((name) => name.startsWith('rabbit-'))) return programs;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'plugins'), { recursive: true, mode: 0o700 });
  cpSync(scripts, join(folder, basename(scripts)), { recursive: true, dereference: true });
  for (const name of libraries) symlinkSync(join(home, 'plugins', name), join(folder, 'plugins', name));
  for (const name of entriesOf(home)) {
    if (name !== 'plugins' && name !== basename(scripts)) symlinkSync(join(home, name), join(folder, name));
  }
  const inFolder = (program: string): string => join(folder, basename(scripts), basename(program));
  return { ...programs, server: inFolder(programs.server), ctl: inFolder(programs.ctl) };
}

/** All but plugins: what starts on top of the broker is nothing that the broker itself needs. */
const librariesIn = (plugins: string): string[] =>
  entriesOf(plugins).filter((name) => {
    const ebin = join(plugins, name, 'ebin');
    return entriesOf(ebin).some((file) => file.endsWith('.app')) && !isPlugin(ebin);
  });

function isPlugin(ebin: string): boolean {
  const file = readdirSync(ebin).find((name) => name.endsWith('.app'))!;
  const text = readFileSync(join(ebin, file), 'utf8').replaceAll(/\s/g, '');
  const applications = /\{applications,\[([^\]]*)\]/.exec(text)?.[1]?.split(',') ?? [];
  return applications.includes('rabbit');
}
