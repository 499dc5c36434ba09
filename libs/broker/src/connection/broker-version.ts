/** Older releases lack what the queues here are made of: dead-lettering at least once came with 3.10. */
export const OLDEST_BROKER = { major: 3, minor: 10 } as const;
/** The newest major release that the documentation was read of. */
const NEWEST_MAJOR = 4;

/** Whether a broker can be worked with, by what it says of itself when a connection begins. */
export interface BrokerVersion {
  /** As it says it: `RabbitMQ 3.10.8`. */
  readonly text: string;
  /** `unknown`: another product, a newer major release, or a version that can't be read. It is used, and logged. */
  readonly verdict: 'supported' | 'too_old' | 'unknown';
}

/** Pure: the server's properties decide, as each connection's handshake brings them. */
export function readBrokerVersion(properties: Readonly<Record<string, unknown>>): BrokerVersion {
  const [product, version] = [textOf(properties['product']), textOf(properties['version'])];
  const text = `${product} ${version}`;
  const numbers = /^(\d{1,6})\.(\d{1,6})(?:[.+-]|$)/.exec(version);
  if (product !== 'RabbitMQ' || !numbers) return { text, verdict: 'unknown' };
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  if (major < OLDEST_BROKER.major || (major === OLDEST_BROKER.major && minor < OLDEST_BROKER.minor)) {
    return { text, verdict: 'too_old' };
  }
  return { text, verdict: major > NEWEST_MAJOR ? 'unknown' : 'supported' };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 100) : 'unknown');
