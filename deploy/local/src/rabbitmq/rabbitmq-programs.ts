import { dirname, join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { installPackage, type Say } from '../provide/install-packages.js';
import { entriesOf, findIn, findProgram, searchPath } from '../provide/programs.js';

export interface RabbitMqPrograms {
  readonly server: string;
  readonly ctl: string;
  readonly epmd: string;
  /** Not every distribution of Erlang has it. */
  readonly erlCall: string | undefined;
}

/** The installed programs; installs them if there are none. */
export async function rabbitMqPrograms(say: Say): Promise<RabbitMqPrograms> {
  const found = findPrograms() ?? (await installed(say));
  if (found) return found;
  throw new LocalFailure(
    "RabbitMQ's programs rabbitmq-server and rabbitmqctl, with Erlang's epmd, were not found.",
    'Install RabbitMQ 3.10 or later, or set RABBITMQ_URL to a server of your own.',
  );
}

async function installed(say: Say): Promise<RabbitMqPrograms | undefined> {
  await installPackage({ product: 'RabbitMQ', packageName: 'rabbitmq-server', variable: 'RABBITMQ_URL' }, say);
  return findPrograms();
}

/**
 * RabbitMQ's own scripts. What a distribution puts into PATH under the same names may be a wrapper (Debian's changes to
 * the user rabbitmq and its home, where our files can't be read), told by the missing `rabbitmq-env` beside it.
 */
function findPrograms(): RabbitMqPrograms | undefined {
  const onPath = searchPath().flatMap((folder) => findIn([folder], 'rabbitmq-server') ?? []);
  const folders = ['/usr/lib/rabbitmq/bin', ...onPath.map(dirname), ...brewFolders()];
  const epmd = findProgram('epmd') ?? findIn(erlangFolders(), 'epmd');
  if (epmd === undefined) return undefined;
  const erlCall = findProgram('erl_call') ?? findIn(erlangFolders(), 'erl_call');
  for (const folder of folders) {
    const server = findIn([folder], 'rabbitmq-server');
    const ctl = findIn([folder], 'rabbitmqctl');
    const isOriginal = server !== undefined && findIn([dirname(server)], 'rabbitmq-env') !== undefined;
    if (isOriginal && ctl !== undefined) return { server, ctl, epmd, erlCall };
  }
  return undefined;
}

const brewFolders = (): string[] => ['/opt/homebrew/opt/rabbitmq/sbin', '/usr/local/opt/rabbitmq/sbin'];

const erlangFolders = (): string[] =>
  ['/usr/lib/erlang', '/usr/lib64/erlang', '/usr/local/lib/erlang'].flatMap((root) =>
    entriesOf(root)
      .filter((name) => name.startsWith('erts-'))
      .map((name) => join(root, name, 'bin')),
  );
