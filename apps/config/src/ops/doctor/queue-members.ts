/** A queue as `rabbitmqctl list_queues --formatter json name type members` prints it. */
interface ListedQueue {
  readonly name: string;
  readonly type: string;
  /** The nodes that hold it, of a quorum queue. */
  readonly members?: readonly string[];
}

/** A quorum queue that is lost with fewer nodes than it could be. */
export interface ShortQueue {
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

/** Those with fewer members than the cluster has nodes. Classic queues live on one node, and are meant to. */
export const shortQueues = (queues: readonly ListedQueue[], nodes: number): readonly ShortQueue[] =>
  queues
    .filter(({ type }) => type === 'quorum' || type === 'rabbit_quorum_queue')
    .map(({ name, members = [] }) => ({ name, members: members.length }))
    .filter(({ members }) => members < nodes);

/** What an operator runs for each node that lacks them; it adds members and takes none away. */
export const growCommand = (queues: readonly ShortQueue[]): string =>
  `rabbitmq-queues grow <node> all --queue-pattern '^(${queues.map(({ name }) => escaped(name)).join('|')})$'`;

const escaped = (name: string): string => name.replaceAll('.', '\\.');

const isListed = (value: unknown): value is ListedQueue => {
  const { name, type, members } = (value ?? {}) as Record<string, unknown>;
  const isList = members === undefined || Array.isArray(members) || members === '';
  return typeof name === 'string' && typeof type === 'string' && isList;
};
