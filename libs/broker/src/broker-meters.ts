import type { Broker } from './broker.js';
import type { BrokerServer } from './consume/broker-server.js';
import { PUBLISH_FAILURES } from './publish/publish-failed.js';
import type { IntakeHold } from './intake/intake-hold.js';

interface Measured<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

type Watch = <L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  read: () => Iterable<Measured<L>>,
) => void;

/** What the broker layer needs of a service's metrics. */
export interface BrokerMeters {
  /** A value that is asked for at each scrape. */
  watch(name: string, help: string, read: () => number): void;
  /** Values by labels. */
  watchEach: Watch;
  /** Counts by labels. */
  watchCount: Watch;
  histogram(name: string, help: string, buckets: number[]): { observe(value: number): void };
  counter(
    name: string,
    help: string,
    labelNames: readonly 'code'[],
  ): { inc(labels: { code: string }, value?: number): void };
}

/** A healthy broker confirms within some milliseconds, a busy one within a second; 10 s and 30 s are time-outs. */
const CONFIRM_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Shows how a service stands with the broker. Labels are names from the topology and the code. */
export function showBroker(meters: BrokerMeters, broker: Broker, server: BrokerServer, hold: IntakeHold): void {
  showConnections(meters, broker);
  showPublisher(meters, broker);
  showConsumers(meters, server);
  meters.watchEach('broker_intake_held', 'Whether no new work is taken now, by reason', ['reason'], () =>
    hold.history.map(({ why, holds }) => ({ labels: { reason: why }, value: holds ? 1 : 0 })),
  );
  meters.watchCount('broker_intake_holds_total', 'How often no new work was taken, by reason', ['reason'], () =>
    hold.history.map(({ why, times }) => ({ labels: { reason: why }, value: times })),
  );
}

function showConnections(meters: BrokerMeters, { publishing, consuming }: Broker): void {
  const links = { publishing, consuming };
  const each = (read: (link: Broker['publishing']) => number) => () =>
    Object.entries(links).map(([connection, link]) => ({ labels: { connection }, value: read(link) }));
  meters.watchEach(
    'broker_connected',
    'Whether the connection stands and everything on it is set up',
    ['connection'],
    each(({ ready }) => (ready ? 1 : 0)),
  );
  meters.watchEach(
    'broker_blocked',
    'Whether the broker takes no publishes (a memory or disk alarm)',
    ['connection'],
    each(({ blocked }) => (blocked ? 1 : 0)),
  );
  meters.watchCount(
    'broker_connections_lost_total',
    'Connections that were lost',
    ['connection'],
    each(({ losses }) => losses),
  );
}

function showPublisher(meters: BrokerMeters, { publisher }: Broker): void {
  meters.watch('broker_publishes_unconfirmed', 'Messages without a confirm yet', () => publisher.load.unconfirmed);
  meters.watch('broker_publishes_unconfirmed_bytes', 'Their bytes', () => publisher.load.unconfirmedBytes);
  meters.watch('broker_publishes_waiting', 'Messages that wait for their turn', () => publisher.load.waiting);
  const seconds = meters.histogram('broker_confirm_seconds', 'From a publish to its confirm', CONFIRM_SECONDS);
  const failures = meters.counter('broker_publish_failures_total', 'Publishes not confirmed, by why', ['code']);
  // An alert on a rate needs the series to be there before the first failure.
  for (const code of PUBLISH_FAILURES) failures.inc({ code }, 0);
  publisher.watch((ms, code) => {
    if (code === undefined) seconds.observe(ms / 1_000);
    else failures.inc({ code });
  });
}

function showConsumers(meters: BrokerMeters, server: BrokerServer): void {
  meters.watchEach('broker_messages_in_hand', 'Messages taken and not settled', ['queue'], () =>
    server.standings.map(({ queue, handling }) => ({ labels: { queue }, value: handling })),
  );
  meters.watchCount('broker_messages_total', 'Messages by what became of them', ['queue', 'settlement'], () =>
    server.standings.flatMap(({ queue, settled }) =>
      Object.entries(settled).map(([settlement, value]) => ({ labels: { queue, settlement }, value })),
    ),
  );
}
