import { QUEUES, type IncomingMessage } from '@form-webhooks/broker';
import type { DeliveryId, EndpointId, ErrorCode, EventId, FormId, SubmissionId } from '@form-webhooks/domain';
import {
  deliveryHeaders,
  eventHeaders,
  type DeliveryMessage,
  type EndpointSnapshot,
  type EventMessage,
} from '@form-webhooks/messages';
import type { SentAttempt } from '@form-webhooks/sender';
import type { FormEndpoints } from '../endpoints/form-endpoints.js';
import type { EventArrival } from '../fan-out/event-arrival.js';

/*
 * What specs are about, complete and valid; a spec names only what matters to it. One event of form f_1, submission s_1,
 * for endpoint we_1.
 */

const SECOND = 1_000;
/** Recent, so that nothing is too old to be tried again; whole seconds, as the envelope has them. */
const ACCEPTED_AT = Math.floor(Date.now() / SECOND) * SECOND;

export const anEvent = (given: Partial<EventMessage> = {}): EventMessage => ({
  event: 'submission.created',
  eventId: 'evt_1' as EventId,
  formId: 'f_1' as FormId,
  submissionId: 's_1' as SubmissionId,
  acceptedAt: ACCEPTED_AT,
  tail: Buffer.from('"form_id":"f_1","fields":{}}'),
  ...given,
});

/** An event that comes for the first time, within its form's share. */
export const anArrival = (given: Partial<EventArrival> = {}): EventArrival => ({
  waits: 0,
  redelivered: false,
  queue: QUEUES.events,
  bulkLane: undefined,
  isOurs: () => true,
  ...given,
});

type GivenDelivery = Omit<Partial<DeliveryMessage>, 'position'> & {
  readonly position?: Partial<DeliveryMessage['position']>;
};

export const aDelivery = ({ position, ...given }: GivenDelivery = {}): DeliveryMessage => ({
  ...anEvent(),
  deliveryId: 'dlv_1' as DeliveryId,
  endpointId: 'we_1' as EndpointId,
  generationStartedAt: ACCEPTED_AT,
  dueAt: ACCEPTED_AT,
  trigger: 'event',
  ...given,
  position: { generation: 0, try: 0, deferrals: 0, ...position },
});

export const anEndpoint = (given: Partial<EndpointSnapshot> = {}): EndpointSnapshot => ({
  id: 'we_1',
  url: 'https://receiver.example/hooks',
  enabled: true,
  events: ['submission.created'],
  version: 1,
  secrets: [],
  ...given,
});

/** A registered form with one enabled endpoint, or with those given. */
export const aForm = ({
  endpoints = [anEndpoint()],
  ...given
}: Omit<Partial<FormEndpoints>, 'endpoints'> & {
  readonly endpoints?: readonly EndpointSnapshot[];
} = {}): FormEndpoints => ({
  registered: true,
  deleted: false,
  workspaceId: 'ws_1',
  erasedSubmissions: new Set(),
  erasuresListedSince: 0,
  fetchedAt: 0,
  ...given,
  endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
});

/** An attempt that the receiver answered with this status. */
export const anAnswer = (status: number, given: Partial<SentAttempt> = {}): SentAttempt => ({
  result: { kind: 'response', status },
  startedAt: ACCEPTED_AT + 5,
  durationMs: 20,
  timestamp: ACCEPTED_AT / SECOND,
  requestHeaders: { 'user-agent': 'spec' },
  response: { status, headers: { server: 'spec' }, excerpt: 'text', truncated: false },
  error: null,
  remoteAddress: '192.0.2.1',
  timings: { dnsMs: 1, connectMs: 2, tlsMs: 5, firstByteMs: 11 },
  resent: false,
  ...given,
});

/** An attempt that failed so, without an answer. */
export const anError = (code: ErrorCode, message = 'no answer'): SentAttempt =>
  anAnswer(0, {
    result: { kind: 'error', code },
    response: null,
    error: { code, message },
    remoteAddress: null,
    timings: null,
  });

/** An attempt that found nobody. */
export const aTimeout = (): SentAttempt => anError('timeout', 'no answer in time');

/** A message as the broker hands it over for the first time. */
export const aMessage = (given: Partial<IncomingMessage> = {}): IncomingMessage => ({
  queue: QUEUES.deliveries,
  headers: {},
  body: Buffer.alloc(0),
  redelivered: false,
  isOurs: () => true,
  routingKey: '',
  ...given,
});

/** A delivery's message, new unless something else is given. */
export const aDeliveryMessage = (delivery: DeliveryMessage, given: Partial<IncomingMessage> = {}): IncomingMessage =>
  aMessage({ headers: deliveryHeaders(delivery), body: delivery.tail, ...given });

export const anEventMessage = (event: EventMessage, given: Partial<IncomingMessage> = {}): IncomingMessage =>
  aMessage({ queue: QUEUES.events, headers: eventHeaders(event), body: event.tail, ...given });
