/** What takes CPU for a delivery. The services are processes of one thread each. */
export const SERVICES = ['ingest', 'dispatcher', 'config'] as const;
export const SERVERS = ['rabbitmq', 'postgres'] as const;
export type Service = (typeof SERVICES)[number];
export type Part = Service | (typeof SERVERS)[number];
export const PARTS: readonly Part[] = [...SERVICES, ...SERVERS];

/** CPU in ms of one core. */
export interface Cost {
  readonly perEvent: number;
  /** For each endpoint that an event goes to. */
  readonly perDelivery: number;
}

/** What was measured. */
export interface Figures {
  readonly costs: Readonly<Record<Part, Cost>>;
  /** Of the database's files, and of its write-ahead log. */
  readonly logBytesPerDelivery: number;
  readonly walBytesPerDelivery: number;
  /** Of the broker's files, for an event that waits there. */
  readonly brokerBytesPerEvent: number;
  /**
   * Messages a second through one quorum queue, published, confirmed, taken and acknowledged. A lower bound: the
   * bench's one client bounds it too.
   */
  readonly queueMessagesPerSecond: number;
}

/** What an installation has to do. */
export interface Demand {
  readonly deliveriesPerSecond: number;
  readonly endpointsPerEvent: number;
  /** Attempts that are made once more, for each delivery. */
  readonly retriesPerDelivery: number;
  /** How long receivers take on average, s. */
  readonly answerSeconds: number;
  readonly retentionDays: number;
  /** Of the broker: each keeps every message of a quorum queue. */
  readonly brokerNodes: number;
}

/** More of a core is not planned with: what comes in bursts has to wait for nothing. */
export const BUSY_SHARE = 0.6;
/** `DISPATCHER_CONCURRENCY`, of which half is planned with: the rest is for receivers that hang. */
const SLOTS = 500;
const SLOTS_SHARE = 0.5;

export interface Need {
  readonly what: string;
  readonly amount: number;
  readonly unit: string;
  /** By what it was reckoned. */
  readonly why: string;
}

/** The straight line through what an event cost with few and with many endpoints. */
export function costFrom(few: { readonly endpoints: number; readonly cpu: number }, many: typeof few): Cost {
  const perDelivery = Math.max(0, (many.cpu - few.cpu) / (many.endpoints - few.endpoints));
  return { perEvent: Math.max(0, few.cpu - perDelivery * few.endpoints), perDelivery };
}

/** CPU that a delivery costs in a part, its share of the event included, ms. */
export const costOf = ({ perEvent, perDelivery }: Cost, endpoints: number): number =>
  perEvent / endpoints + perDelivery;

/** Cores that a part keeps busy. A retry is a message of its own: it costs what an event to one endpoint does. */
function coresOf(part: Part, { costs }: Figures, demand: Demand): number {
  const { deliveriesPerSecond, endpointsPerEvent, retriesPerDelivery } = demand;
  const cost = costs[part];
  const first = costOf(cost, endpointsPerEvent);
  const again = part === 'ingest' ? 0 : retriesPerDelivery * costOf(cost, 1);
  return (deliveriesPerSecond * (first + again)) / 1_000;
}

/** What a demand needs, as far as it is reckoned from what was measured on one machine. */
export function needsOf(demand: Demand, figures: Figures): Need[] {
  const { deliveriesPerSecond, endpointsPerEvent, retriesPerDelivery, answerSeconds, brokerNodes } = demand;
  const cores = (part: Part): number => coresOf(part, figures, demand);
  const attempts = deliveriesPerSecond * (1 + retriesPerDelivery);
  const byCpu = (service: Service): number => Math.max(2, Math.ceil(cores(service) / BUSY_SHARE));
  const bySlots = Math.ceil((attempts * answerSeconds) / (SLOTS * SLOTS_SHARE));
  const perDay = (bytes: number): number => (bytes * deliveriesPerSecond * 86_400) / 1e12;
  const whole = (service: Service): string => `${cores(service).toFixed(1)} cores busy, ${BUSY_SHARE} of each at most`;
  return [
    need('ingest', byCpu('ingest'), 'processes', whole('ingest')),
    need(
      'dispatcher',
      Math.max(byCpu('dispatcher'), bySlots),
      'processes',
      `${whole('dispatcher')}; ${bySlots} for slots`,
    ),
    need('config (log writers)', byCpu('config'), 'processes', whole('config')),
    need('PostgreSQL', cores('postgres') / BUSY_SHARE, 'cores', 'one primary takes every row'),
    need(
      'PostgreSQL, write-ahead log',
      perDay(figures.walBytesPerDelivery) / 0.0864,
      'MB/s',
      'as written, without archiving',
    ),
    need('PostgreSQL, a day of the log', perDay(figures.logBytesPerDelivery), 'TB', 'one partition of each table'),
    need(
      'PostgreSQL, in all',
      perDay(figures.logBytesPerDelivery) * demand.retentionDays,
      'TB',
      `${demand.retentionDays} days`,
    ),
    need(
      'RabbitMQ, each node',
      cores('rabbitmq') / BUSY_SHARE,
      'cores',
      `${brokerNodes} node(s), each with every message`,
    ),
    need(
      'RabbitMQ, an hour of waiting events',
      (figures.brokerBytesPerEvent * 3_600 * deliveriesPerSecond) / endpointsPerEvent / 1e9,
      'GB',
      'while no dispatcher takes any',
    ),
    need(
      'dispatcher.events',
      deliveriesPerSecond / endpointsPerEvent / figures.queueMessagesPerSecond,
      'of one queue',
      'at most: it is one process, no node and no core speeds it up',
    ),
  ];
}

const need = (what: string, amount: number, unit: string, why: string): Need => ({ what, amount, unit, why });

/** What one installation can have of something, whatever is added to it. */
const CEILINGS: Readonly<Record<string, number>> = {
  // Machines of this size are common; beyond it everything is special.
  PostgreSQL: 64,
  'PostgreSQL, write-ahead log': 500,
  'PostgreSQL, in all': 30,
  'RabbitMQ, each node': 32,
  'dispatcher.events': BUSY_SHARE,
};

/** What gives way, the first first: how much of what there can be of it the demand takes. */
export function tightest(needs: readonly Need[]): readonly { readonly what: string; readonly share: number }[] {
  return needs
    .flatMap(({ what, amount }) => (CEILINGS[what] === undefined ? [] : [{ what, share: amount / CEILINGS[what] }]))
    .sort((a, b) => b.share - a.share);
}

/**
 * Deliveries a second of a machine that does everything: by its cores, or by a service whose processes, one thread each,
 * are all busy.
 * @param cores that all parts together get @param othersPerDelivery CPU ms of what is on it besides
 */
export function throughputOf(
  { costs }: Pick<Figures, 'costs'>,
  plan: { readonly cores: number; readonly endpoints: number; readonly processes: Readonly<Record<Service, number>> },
  othersPerDelivery = 0,
): { readonly perSecond: number; readonly bound: Service | 'the machine' } {
  const total = PARTS.reduce((sum, part) => sum + costOf(costs[part], plan.endpoints), othersPerDelivery);
  const bounds = [
    { perSecond: (plan.cores * 1_000) / total, bound: 'the machine' as const },
    ...SERVICES.map((service) => ({
      perSecond: (plan.processes[service] * 1_000) / costOf(costs[service], plan.endpoints),
      bound: service,
    })),
  ];
  return bounds.reduce((least, bound) => (bound.perSecond < least.perSecond ? bound : least));
}
