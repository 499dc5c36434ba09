import { patternOf, PERMISSIONS, standingTopology, type BrokerUser, type QueueSpec } from '@form-webhooks/broker';
import { fine, wrong, type Finding } from './finding.js';

/** What `rabbitmqctl export_definitions -` prints, as far as it is read here. */
export interface Definitions {
  readonly exchanges?: readonly { readonly vhost: string; readonly name: string; readonly type: string }[];
  readonly queues?: readonly { readonly vhost: string; readonly name: string; readonly arguments?: Arguments }[];
  readonly bindings?: readonly {
    readonly vhost: string;
    readonly source: string;
    readonly destination: string;
    readonly routing_key: string;
  }[];
  readonly permissions?: readonly Readonly<Record<'user' | 'vhost' | 'configure' | 'write' | 'read', string>>[];
  readonly policies?: readonly {
    readonly vhost: string;
    readonly name: string;
    readonly pattern: string;
    readonly definition?: Arguments;
  }[];
}

type Arguments = Readonly<Record<string, unknown>>;

const GONE = 'docs/troubleshooting.md#an-exchange-a-queue-or-a-binding-is-gone';
/** What a policy must not add to any of our queues: it would drop what waits. */
const HARMFUL = ['expires', 'message-ttl', 'max-length', 'max-length-bytes'];

/** @throws Error if the text is no such output: all bindings would seem to be missing then */
export function readDefinitions(text: string): Definitions {
  const definitions = JSON.parse(text) as Partial<Definitions> | null;
  if (!Array.isArray(definitions?.bindings) || !Array.isArray(definitions.queues)) {
    throw new Error('this is no output of rabbitmqctl -q export_definitions -');
  }
  return definitions;
}

/** What AMQP tells nobody, out of the broker's own definitions: bindings, arguments, rights of every user, policies. */
export const checkDefinitions = (definitions: Definitions, vhost: string): Finding[] => [
  checkBindings(definitions, vhost),
  checkArguments(definitions, vhost),
  checkRights(definitions, vhost),
  checkPolicies(definitions, vhost),
];

function checkBindings({ bindings = [] }: Definitions, vhost: string): Finding {
  const standing = new Set(
    bindings.filter((one) => one.vhost === vhost).map((one) => `${one.source} ${one.destination} ${one.routing_key}`),
  );
  const missing = standingTopology().bindings.filter(
    ({ exchange, queue, routingKey = '#' }) => !standing.has(`${exchange} ${queue} ${routingKey}`),
  );
  if (missing.length === 0) return fine('bindings', 'all are there');
  const told = missing.map(({ exchange, queue }) => `${exchange} → ${queue}`);
  return wrong('bindings', {
    what: `missing: ${told.join(', ')}`,
    repair: "the queue's service binds it within half a minute: start it; if it runs, its log says what refuses it",
    see: GONE,
  });
}

function checkArguments({ queues = [] }: Definitions, vhost: string): Finding {
  const { queues: ours, singleNodeQueues } = standingTopology();
  const other = [...ours, ...singleNodeQueues].filter((spec) => {
    const standing = queues.find((queue) => queue.vhost === vhost && queue.name === spec.name);
    return standing !== undefined && !isAsDeclared(standing.arguments ?? {}, spec);
  });
  if (other.length === 0) return fine('queue arguments', 'all are as this version declares them');
  return wrong('queue arguments', {
    what: `declared otherwise: ${other.map(({ name }) => name).join(', ')}`,
    repair: 'empty the queue, then rabbitmqctl delete_queue <name>: its service declares it as it should be',
    see: 'docs/how-to-change.md#messages',
  });
}

const isAsDeclared = (standing: Arguments, { arguments: own, former }: QueueSpec): boolean =>
  [own, former].some((wanted) => wanted && Object.entries(wanted).every(([name, value]) => standing[name] === value));

function checkRights({ permissions = [] }: Definitions, vhost: string): Finding {
  const short = (Object.keys(PERMISSIONS) as BrokerUser[]).filter((user) => {
    const standing = permissions.find((one) => one.user === user && one.vhost === vhost);
    return standing !== undefined && !isEnough(standing, user);
  });
  if (short.length === 0) return fine('rights', 'the services have theirs, as far as users are named after them');
  const commands = short.map((user) => {
    const { configure, write, read } = PERMISSIONS[user];
    const patterns = [configure, write, read].map((names) => `'${patternOf(names)}'`);
    return `rabbitmqctl set_permissions -p ${vhost} ${user} ${patterns.join(' ')}`;
  });
  return wrong('rights', {
    what: `${short.join(', ')} may do less than they have to`,
    repair: commands.join('\n'),
    see: 'docs/security.md#users-of-the-broker',
  });
}

/** Whether each name that the user needs is allowed; a pattern may be wider than ours. */
function isEnough(standing: Readonly<Record<'configure' | 'write' | 'read', string>>, user: BrokerUser): boolean {
  return (['configure', 'write', 'read'] as const).every((right) =>
    PERMISSIONS[user][right].every((name) => matches(standing[right], name.replaceAll('*', 'x'))),
  );
}

function checkPolicies({ policies = [] }: Definitions, vhost: string): Finding {
  const { queues, singleNodeQueues } = standingTopology();
  const names = [...queues, ...singleNodeQueues].map(({ name }) => name);
  const harmful = policies.filter(
    ({ vhost: where, pattern, definition = {} }) =>
      where === vhost && HARMFUL.some((member) => member in definition) && names.some((name) => matches(pattern, name)),
  );
  if (harmful.length === 0) return fine('policies', 'none drops what waits in our queues');
  return wrong('policies', {
    what: `${harmful.map(({ name }) => name).join(', ')} would drop what waits in our queues`,
    repair: `rabbitmqctl clear_policy -p ${vhost} <name>, or give it a pattern that leaves our queues out`,
    see: 'docs/operations.md#retry-queues',
  });
}

/** As RabbitMQ reads a pattern; one that is none matches nothing. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return false;
  }
}
