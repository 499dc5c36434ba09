import { counted } from '../../counted.js';
import { fine, unknown, wrong, type Finding } from './finding.js';

/** So many are named; of a cluster that grew after the first start every queue lacks members. */
const NAMED = 5;

/** A queue as `rabbitmqctl list_queues --formatter json name type members` prints it. */
interface ListedQueue {
  readonly name: string;
  readonly type: string;
  /** The nodes that hold it, of a quorum queue. */
  readonly members?: readonly string[];
}

/** A quorum queue that is lost with fewer nodes than it could be. */
interface ShortQueue {
  readonly name: string;
  readonly members: number;
}

/** @throws Error if the text is not such a list, or an empty one: nothing was checked then */
export function readQueues(text: string): readonly ListedQueue[] {
  const queues: unknown = JSON.parse(text);
  if (!Array.isArray(queues) || queues.length === 0 || !queues.every(isListed)) {
    throw new Error('this is no output of rabbitmqctl -q list_queues --formatter json name type members');
  }
  return queues;
}

/** Whether each quorum queue has a member on every node. Classic queues live on one node, and are meant to. */
export function judgeMembers(queues: readonly ListedQueue[], nodes: number): Finding {
  const quorum = queues.filter(({ type }) => type === 'quorum' || type === 'rabbit_quorum_queue');
  if (quorum.length === 0) return unknown('members', 'no quorum queue is listed: is it of another virtual host?');
  const short = quorum
    .map(({ name, members = [] }) => ({ name, members: members.length }))
    .filter(({ members }) => members < nodes);
  if (short.length === 0) return fine('members', `every quorum queue has ${counted(nodes, 'member', 'members')}`);
  const all = counted(quorum.length, 'quorum queue', 'quorum queues');
  return wrong('members', {
    what: `${short.length} of ${all} without a member on each node: ${tellShort(short, nodes)}`,
    repair: `for each node that lacks them: ${growCommand(short, quorum.length)}`,
    see: 'docs/operations.md#clusters',
  });
}

function tellShort(short: readonly ShortQueue[], nodes: number): string {
  const named = short.slice(0, NAMED).map(({ name, members }) => `${name} has ${members} of ${nodes}`);
  const others = short.length - named.length;
  return `${named.join('; ')}${others === 0 ? '' : `; and ${others} more`}`;
}

/**
 * What an operator runs for each node that lacks them; it adds members and takes none away, and passes over queues that
 * have the node. So a long pattern would only keep it from queues that lack nothing.
 */
const growCommand = (short: readonly ShortQueue[], all: number): string =>
  short.length === all || short.length > NAMED
    ? 'rabbitmq-queues grow <node> all'
    : `rabbitmq-queues grow <node> all --queue-pattern '^(${short.map(({ name }) => escaped(name)).join('|')})$'`;

const escaped = (name: string): string => name.replaceAll('.', '\\.');

const isListed = (value: unknown): value is ListedQueue => {
  const { name, type, members } = (value ?? {}) as Record<string, unknown>;
  const isList = members === undefined || Array.isArray(members) || members === '';
  return typeof name === 'string' && typeof type === 'string' && isList;
};
