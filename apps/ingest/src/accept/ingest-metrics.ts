import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';

export type Door = 'http' | 'amqp';

/** What callers over HTTP make ingest hold at the moment. */
export interface HeldByCallers {
  readonly connections: Held;
  /** Requests whose key is asked about. */
  readonly checks: Held;
  /** Requests with a good key, until they are over. */
  readonly requests: Held;
  /** Bytes of bodies, as announced. */
  readonly bytes: Held;
}

interface Held {
  readonly held: number;
}

/** Refusals that an alert counts: their series must be there before the first one. */
const ALERTED = ['not_confirmed', 'busy', 'unavailable', 'unauthenticated', 'forbidden', 'throttled'];

/** What comes by AMQP is kept through an outage, until the broker confirms it. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800];

/** What ingest counts; the reasons are a closed set. */
@Injectable()
export class IngestMetrics {
  private readonly acceptedEvents;
  private readonly refusedEvents;
  private readonly discardedEvents;
  private readonly confirmSeconds;

  constructor(private readonly metrics: Metrics) {
    this.acceptedEvents = metrics.counter('ingest_events_accepted_total', 'events that the broker confirmed', ['door']);
    this.refusedEvents = metrics.counter('ingest_events_refused_total', 'events not accepted, by reason', [
      'door',
      'reason',
    ]);
    for (const reason of ALERTED) this.refusedEvents.inc({ door: 'http', reason }, 0);
    this.discardedEvents = metrics.counter(
      'ingest_events_discarded_total',
      'messages on form.events of a kind that this service does not deliver',
    );
    this.confirmSeconds = metrics.histogram(
      'ingest_accept_seconds',
      'from the whole body to the confirm of an accepted event',
      SECONDS,
      ['door'],
    );
  }

  /** Shows at each scrape what is held; all of it is 0 when nobody calls. */
  watchHeld({ connections, checks, requests, bytes }: HeldByCallers): void {
    this.metrics.gauge('ingest_connections_open', 'connections to the API', [], function () {
      this.set(connections.held);
    });
    this.metrics.gauge('ingest_key_checks_waiting', 'requests whose key config is asked about', [], function () {
      this.set(checks.held);
    });
    this.metrics.gauge('ingest_requests_in_flight', 'requests with a good key that are not over', [], function () {
      this.set(requests.held);
    });
    this.metrics.gauge('ingest_bytes_in_flight', 'bytes of bodies that these announced', [], function () {
      this.set(bytes.held);
    });
  }

  accepted(door: Door, ms: number): void {
    this.acceptedEvents.inc({ door });
    this.confirmSeconds.observe({ door }, ms / 1_000);
  }

  refused(door: Door, reason: string): void {
    this.refusedEvents.inc({ door, reason });
  }

  discarded(): void {
    this.discardedEvents.inc();
  }
}
