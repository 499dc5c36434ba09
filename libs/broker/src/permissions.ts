import { EXCHANGES, OWN_EXCHANGES, QUEUES, type Owner } from './queue-names.js';

/*
 * What each user of the broker may do. Names of exchanges and queues; a star stands for anything.
 *
 * Whoever may write to `amq.default`, the exchange that every queue is bound to by its name, may put messages into every
 * queue. Ingest, which strangers reach, must not: so it puts messages into its own queues by an exchange of its own, and
 * asks config by one that leads there alone. Dispatchers and config have that right, because answers to calls go by no
 * other way; what each could put where by it, it may put there anyway, except for events into ingest's queues.
 *
 * Whoever only looks at a queue or an exchange (a passive declare: is it there, how long is it?) must have some right on
 * it from RabbitMQ 4.3.1 on; which one does not matter. Writing is the least of them: a queue may then be bound to an
 * exchange that the user reads. By reading, its messages could be taken. Config looks at everything, and can put messages
 * into everything anyway.
 */

/** The services, and the form service as it publishes on `form.events`. */
export type BrokerUser = Owner | 'form-service';

export interface Permissions {
  /** What it declares; RabbitMQ lets it delete that, too. */
  readonly configure: readonly string[];
  /** Exchanges to which it publishes, and queues that it binds or looks at. */
  readonly write: readonly string[];
  /** Queues from which it takes messages, and exchanges to which it binds queues. */
  readonly read: readonly string[];
}

/** Every exchange through which a message can be put into any queue. */
const ANY_QUEUE = 'amq.default';
/** The queues by which a process hears of changes: the broker names them, and only their connection can use them. */
const OWN_NOTICES = 'amq.gen-*';

/** For the metrics of queues, for whoever searches for an event, and for `doctor`. */
const ALL_OF_OTHERS = ['ingest.*', 'dispatcher.*', 'retry.*', EXCHANGES.formEvents];
/** Ingest chooses the lane with the fewest events. */
const EVENT_LANE_QUEUES = ['*.events.large', '*.events.bulk-*'];

/** `webhook.events` and `webhook.event-lanes`. */
const EVENT_EXCHANGES = 'webhook.event*';

export const PERMISSIONS: Readonly<Record<BrokerUser, Permissions>> = {
  config: {
    configure: ['config.*', EXCHANGES.deliveries, EXCHANGES.log, EXCHANGES.configChanges],
    write: ['config.*', 'webhook.*', ANY_QUEUE, ...ALL_OF_OTHERS],
    // An erasure looks through the parked queues of all.
    read: ['config.*', EXCHANGES.log, '*.parked', QUEUES.formEventsRejected],
  },
  dispatcher: {
    configure: ['dispatcher.*', 'retry.*', OWN_NOTICES, EVENT_EXCHANGES],
    write: ['dispatcher.*', OWN_NOTICES, ANY_QUEUE, EXCHANGES.deliveries, EXCHANGES.log, OWN_EXCHANGES.configCalls],
    read: ['dispatcher.*', 'retry.*', OWN_NOTICES, EVENT_EXCHANGES, EXCHANGES.deliveries, EXCHANGES.configChanges],
  },
  ingest: {
    configure: ['ingest.*', OWN_NOTICES, EXCHANGES.formEvents],
    write: ['ingest.*', OWN_NOTICES, EVENT_EXCHANGES, OWN_EXCHANGES.configCalls, ...EVENT_LANE_QUEUES],
    read: ['ingest.*', OWN_NOTICES, EXCHANGES.formEvents, EXCHANGES.configChanges],
  },
  'form-service': { configure: [], write: [EXCHANGES.formEvents], read: [] },
};

/** The regular expression by which RabbitMQ knows these names; `^$` for none. */
export function patternOf(names: readonly string[]): string {
  if (names.length === 0) return '^$';
  return `^(${names.map((name) => name.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`;
}
