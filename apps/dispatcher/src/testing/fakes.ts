import type { CancelledReason, WaitingCause } from '@form-webhooks/domain';
import { IntakeHold, type Destination, type OutgoingMessage, type QueueConsumers } from '@form-webhooks/broker';
import { readDeliveryMessage, type DeliveryMessage, type KnownDelivery, type LogRecord } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { pino, type Logger } from 'pino';
import { StepReport, type DelayedPublisher } from '../attempt/settlement.js';
import { BeginWork } from '../intake/begin-work.js';
import { InFlightBytes } from '../intake/in-flight-bytes.js';
import type { EventArrival } from '../fan-out/event-arrival.js';
import { FirstAttempts, type FirstProgress } from '../fan-out/event-deliveries.js';
import type { EndpointRoom } from '../first-attempt/bulk-line.js';
import { FirstTurns } from '../first-attempt/first-turns.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';
import type { MadeAttempt } from '../record/delivery-records.js';
import { KnownDeliveries, type AskedDelivery, type KnownById } from '../repeats/known-deliveries.js';

/** What was done, in order, across the fakes of one test. */
export type Steps = string[];

/** A promise that the test settles. */
export function held<T = void>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

/** Lets everything go on that waits for nothing but promises. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Keeps what is published; the broker's confirm comes as soon as `confirms` resolves. */
export class FakePublisher extends MessagePublisher implements DelayedPublisher {
  readonly published: { readonly to: Destination; readonly message: OutgoingMessage }[] = [];
  readonly delayed: { readonly endpointId: string; readonly delayMs: number; readonly delivery: DeliveryMessage }[] =
    [];
  confirms: Promise<void> = Promise.resolve();
  /** How long the broker really places what is to wait this long, ms; one for each time that it is placed. */
  placements: (delayMs: number) => readonly number[] = (delayMs) => [delayMs];

  constructor(private readonly steps: Steps = []) {
    super();
  }

  override async publish(to: Destination, message: OutgoingMessage): Promise<void> {
    this.published.push({ to, message });
    await this.confirms;
    this.steps.push('published');
  }

  async publishDelayed(
    endpointId: string,
    delayMs: number,
    messageFor: (delayMs: number) => OutgoingMessage,
  ): Promise<void> {
    for (const placedForMs of this.placements(delayMs)) {
      const { headers, body } = messageFor(placedForMs);
      this.delayed.push({ endpointId, delayMs, delivery: readDeliveryMessage(headers, body) });
    }
    await this.confirms;
    this.steps.push('published');
  }
}

/** Keeps what is recorded; the broker's confirm comes as soon as `confirms` resolves. */
export class FakeLog extends DeliveryLog {
  readonly records: LogRecord[] = [];
  confirms: Promise<void> = Promise.resolve();

  constructor(private readonly steps: Steps = []) {
    super();
  }

  override async record(record: LogRecord): Promise<void> {
    this.records.push(record);
    await this.confirms;
    this.steps.push('recorded');
  }
}

/** Keeps what it is told. */
export class FakeReport extends StepReport {
  readonly told: unknown[] = [];

  constructor(private readonly steps: Steps = []) {
    super();
  }

  override reportAttempt(delivery: DeliveryMessage, made: MadeAttempt): void {
    this.note({ delivery, made });
  }

  override reportDeferral(delivery: DeliveryMessage, cause: WaitingCause): void {
    this.note({ delivery, cause });
  }

  override reportCancellation(delivery: DeliveryMessage, reason: CancelledReason): void {
    this.note({ delivery, reason });
  }

  override reportExpiry(delivery: DeliveryMessage): void {
    this.note({ delivery, expired: true });
  }

  override reportUnsettled(delivery: DeliveryMessage, error: unknown): void {
    this.note({ delivery, error });
  }

  private note(what: unknown): void {
    this.told.push(what);
    this.steps.push('reported');
  }
}

/** Keeps what is to be attempted; each attempt ends as soon as `ends` resolves. */
export class FakeFirstAttempts extends FirstAttempts {
  readonly attempted: DeliveryMessage[] = [];
  ends: (delivery: DeliveryMessage) => Promise<void> = () => Promise.resolve();

  override async attempt(delivery: DeliveryMessage, _arrival: EventArrival, told: FirstProgress): Promise<void> {
    told.begins();
    this.attempted.push(delivery);
    await this.ends(delivery);
    told.sent();
  }
}

/** A log that knows what it is told, and keeps what it is asked. */
export class FakeKnown extends KnownDeliveries {
  readonly asked: string[] = [];
  knows: readonly KnownDelivery[] = [];

  constructor() {
    super(
      () => Promise.reject(new Error('not asked')),
      () => undefined,
    );
  }

  override of(deliveries: readonly AskedDelivery[]): Promise<KnownById> {
    this.asked.push(...deliveries.map(({ deliveryId }) => deliveryId));
    return Promise.resolve(new Map(this.knows.map((known) => [known.delivery_id, known])));
  }
}

/** Consumers of which nobody wants to know whether they stand still. */
export const idleConsumers: QueueConsumers = { pause: () => Promise.resolve(), resume: () => Promise.resolve() };

/** Work may always begin, however many bytes are in flight. */
export function freeToWork(): BeginWork {
  const intake = freeIntake();
  return new BeginWork(new InFlightBytes(Infinity, intake), intake);
}

/** Takes work from its queues at any time. */
export const freeIntake = (): IntakeHold => new IntakeHold(idleConsumers, [], readableLogger().logger);

/** So many attempts may be under way, for which endpoints have room. */
export const turnsFor = (attempts: number, room: EndpointRoom = ANY_ROOM): FirstTurns =>
  new FirstTurns(
    attempts,
    () => 0,
    room,
    () => true,
  );

const ANY_ROOM: EndpointRoom = { roomOf: () => Infinity, onFreed: () => undefined };

/** A logger whose lines a test can read. */
export function readableLogger(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { logger: pino({ level: 'debug', base: null, timestamp: false }, { write }), lines };
}

/** The samples of one metric as they are exposed, without comments and the app's label. */
export async function samplesOf(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => line.startsWith(name)).map((line) => line.replace(/,?app="[^"]*"/, ''));
}
