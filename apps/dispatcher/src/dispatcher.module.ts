import { Module, type DynamicModule } from '@nestjs/common';
import { standingRungs } from '@form-webhooks/domain';
import { Broker, BrokerServer, IntakeHold, QUEUES, RetryQueues } from '@form-webhooks/broker';
import { Sender } from '@form-webhooks/sender';
import { Metrics, type Logger } from '@form-webhooks/telemetry';
import { AttemptDelivery } from './attempt/attempt-delivery.js';
import { AttemptReport } from './attempt/attempt-report.js';
import { BeginWork } from './intake/begin-work.js';
import { BrokerPublisher } from './publish/broker-publisher.js';
import { DeliveriesController } from './attempt/deliveries.controller.js';
import { DeliveryLog } from './record/delivery-log.js';
import { DeliveryTracker } from './attempt/delivery-tracker.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { EventsController } from './fan-out/events.controller.js';
import { FanOut } from './fan-out/fan-out.js';
import { FanOutReport } from './fan-out/fan-out-report.js';
import { FixedAdmission } from './admission/fixed-admission.js';
import { InFlightBytes } from './intake/in-flight-bytes.js';
import { RecordLog } from './record/record-log.js';
import { RedeliveredDue } from './retry/redelivered-due.js';
import { RetryUntilPublished } from './intake/retry-until-published.js';
import { Settlement } from './attempt/settlement.js';
import { SigningSender } from './attempt/signing-sender.js';
import type { DispatcherSettings } from './settings.js';
import { UrlCheckController } from './url-check/url-check.controller.js';

/** What is not taken while what follows from work can't be made safe. */
const INTAKE = [QUEUES.events, QUEUES.deliveries, QUEUES.due];
const LOOKUP_TIMEOUT_MS = 3_000;
/** A declare costs 4 to 10 ms; one that takes longer must not keep a retry waiting. */
const DECLARE_WAIT_MS = 50;

/** What the process has made before the module: things with a life of their own. */
export interface DispatcherParts {
  readonly settings: DispatcherSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly broker: Broker;
  readonly server: BrokerServer;
  readonly sender: Sender;
  /** Aborts attempts in flight when a stop takes too long. */
  readonly stopping: AbortSignal;
}

/** Binds the use cases to what carries them out: the one place that knows both. */
@Module({})
export class DispatcherModule {
  static with(parts: DispatcherParts): DynamicModule {
    const { settings, logger, metrics, broker, sender } = parts;
    const intake = new IntakeHold(parts.server, INTAKE, logger);
    const confirmed = new RetryUntilPublished(intake, logger);
    const publisher = new BrokerPublisher(broker.publisher, createRetryQueues(parts), confirmed);
    const log = new RecordLog(publisher);
    const directory = createDirectory(parts);
    const attempts = new AttemptDelivery(
      directory,
      createAdmission(parts),
      new SigningSender(sender, { ...settings.sealing, ...settings.requests }, parts.stopping),
      new Settlement(publisher, log, new AttemptReport(metrics, logger)),
      {
        schedule: settings.delivery.retrySchedule,
        retryStatuses: settings.retry.statuses,
        deliveryMaxAgeMs: settings.delivery.maxAgeMs,
      },
    );
    const values = [
      intake,
      attempts,
      directory,
      new DeliveryTracker(),
      new FanOut(directory, publisher, log),
      new FanOutReport(metrics, logger),
      new BeginWork(createInFlightBytes(parts, intake), intake),
      new RedeliveredDue(publisher),
      sender,
    ];
    return {
      module: DispatcherModule,
      controllers: [EventsController, DeliveriesController, UrlCheckController],
      providers: [
        ...values.map((value) => ({ provide: value.constructor, useValue: value })),
        { provide: DeliveryLog, useValue: log },
      ],
    };
  }
}

function createDirectory({ settings, broker, logger }: DispatcherParts): EndpointDirectory {
  return new EndpointDirectory(
    (formId) => broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: formId }, LOOKUP_TIMEOUT_MS),
    settings.cache.maxAgeMs,
    logger,
    async (formId, submissionId) => {
      const request = { form_id: formId, submission_id: submissionId };
      return (await broker.rpc.call(QUEUES.configRpc, 'erased_submission', request, LOOKUP_TIMEOUT_MS)).erased;
    },
  );
}

function createAdmission({ settings, metrics }: DispatcherParts): FixedAdmission {
  const admission = new FixedAdmission(settings.admission);
  metrics.gauge('webhook_attempts_in_flight', 'Attempts in flight.', [], function () {
    this.set(admission.size);
  });
  return admission;
}

function createRetryQueues({ settings, broker, server, metrics, logger }: DispatcherParts): RetryQueues {
  const queues = new RetryQueues(
    broker.publishing,
    broker.publisher,
    {
      sharedRungsMs: standingRungs(settings.delivery.retrySchedule),
      marginMs: settings.retry.queueMarginMs,
      maxLeases: settings.retry.queuesMax,
      declareWaitMs: DECLARE_WAIT_MS,
      dueIsThere: () => server.isAttached(QUEUES.due),
    },
    logger,
  );
  metrics.gauge('webhook_retry_queues', 'Retry queues of single endpoints kept alive.', [], function () {
    this.set(queues.leaseCount);
  });
  return queues;
}

function createInFlightBytes({ settings, metrics }: DispatcherParts, intake: IntakeHold): InFlightBytes {
  const inFlightBytes = new InFlightBytes(settings.intake.heldBytesMax, intake);
  metrics.gauge('webhook_held_bytes', 'Bytes of the messages being handled.', [], function () {
    this.set(inFlightBytes.size);
  });
  return inFlightBytes;
}
