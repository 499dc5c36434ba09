import { RpcBusy, RpcFailed, RpcUnavailable } from '@form-webhooks/broker';
import type { DeliveryId } from '@form-webhooks/domain';
import {
  MAX_DELIVERIES_ASKED,
  type KnownDeliveriesReply,
  type KnownDeliveriesRequest,
  type KnownDelivery,
} from '@form-webhooks/messages';

/** After a question that config did not answer, none is asked for this long: what waits for an answer waits in vain. */
const SILENT_FOR_MS = 5_000;

/** A delivery to ask about; its day of acceptance tells where the log keeps it. */
export interface AskedDelivery {
  readonly deliveryId: DeliveryId;
  /** ms since the epoch */
  readonly acceptedAt: number;
}

export type KnownById = ReadonlyMap<string, KnownDelivery>;

/** Asks config what the log knows of deliveries. @throws RpcUnavailable, RpcFailed */
export type AskForDeliveries = (request: KnownDeliveriesRequest) => Promise<KnownDeliveriesReply>;

/** Told of every call to config: whether it answered. */
export type ReportQuestion = (result: 'answered' | 'unanswered') => void;

interface Question {
  readonly deliveries: readonly AskedDelivery[];
  readonly answer: (known: KnownById) => void;
  readonly fail: (error: unknown) => void;
}

const NOTHING_KNOWN: KnownById = new Map();

/**
 * What the log knows of deliveries. One call is under way at a time and what is asked meanwhile goes with the next, so
 * that a question costs the less the more there are; as many wait as messages are being handled.
 *
 * The log is some 300 ms behind, and config may be away: then nothing is known, and a delivery is rather
 * sent twice than not at all.
 */
export class KnownDeliveries {
  private waiting: Question[] = [];
  private asking = false;
  private silentUntil = -Infinity;

  constructor(
    private readonly ask: AskForDeliveries,
    private readonly report: ReportQuestion,
  ) {}

  /** Those of these deliveries that the log holds; none if config can't be asked. It rejects only for bugs. */
  of(deliveries: readonly AskedDelivery[]): Promise<KnownById> {
    if (deliveries.length === 0 || performance.now() < this.silentUntil) return Promise.resolve(NOTHING_KNOWN);
    return new Promise((answer, fail) => {
      this.waiting.push({ deliveries, answer, fail });
      if (!this.asking) void this.askAll();
    });
  }

  private async askAll(): Promise<void> {
    this.asking = true;
    while (this.waiting.length > 0) {
      const questions = this.takeSome();
      try {
        const known = await this.answerTo(questions.flatMap(({ deliveries }) => deliveries));
        for (const { answer } of questions) answer(known);
      } catch (error) {
        for (const { fail } of questions) fail(error);
      }
    }
    this.asking = false;
  }

  /** As many as fit one call, and at least one. */
  private takeSome(): Question[] {
    let size = 0;
    let count = 0;
    for (const { deliveries } of this.waiting) {
      size += deliveries.length;
      if (count > 0 && size > MAX_DELIVERIES_ASKED) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }

  private async answerTo(deliveries: readonly AskedDelivery[]): Promise<KnownById> {
    if (performance.now() < this.silentUntil) return NOTHING_KNOWN;
    try {
      const { known } = await this.ask({
        deliveries: deliveries.map(({ deliveryId, acceptedAt }) => ({
          delivery_id: deliveryId,
          accepted_at: acceptedAt,
        })),
      });
      this.report('answered');
      return new Map(known.map((delivery) => [delivery.delivery_id, delivery]));
    } catch (error) {
      if (!(error instanceof RpcUnavailable) && !(error instanceof RpcFailed)) throw error;
      if (!(error instanceof RpcBusy)) this.silentUntil = performance.now() + SILENT_FOR_MS;
      this.report('unanswered');
      return NOTHING_KNOWN;
    }
  }
}
