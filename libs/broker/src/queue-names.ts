export const EXCHANGES = {
  /** Where the form service publishes: topic, routing key = event name. */
  formEvents: 'form.events',
  events: 'webhook.events',
  /** Events that take another lane than the normal one, by the lane's name. */
  eventLanes: 'webhook.event-lanes',
  deliveries: 'webhook.deliveries',
  log: 'webhook.log',
  configChanges: 'webhook.config-changes',
} as const;

/** Ways between our own services that no message of theirs names: why they are there, see `permissions.ts`. */
export const OWN_EXCHANGES = {
  /** To ingest's own queues, for what it puts back to work, parks or rejects, and what the broker takes from it. */
  ingestReturns: 'ingest.returns',
  /** To `config.rpc`, for whoever asks config. */
  configCalls: 'config.calls',
} as const;

export const QUEUES = {
  formEvents: 'ingest.form-events',
  formEventsRejected: 'ingest.form-events.rejected',
  events: 'dispatcher.events',
  deliveries: 'dispatcher.deliveries',
  due: 'dispatcher.due',
  /** The same for large bodies, as `LARGE_EVENT_BYTES` says: of these a dispatcher takes few at a time. */
  largeDeliveries: 'dispatcher.deliveries.large',
  largeDue: 'dispatcher.due.large',
  deliveryLog: 'config.delivery-log',
  configRpc: 'config.rpc',
  dispatcherRpc: 'dispatcher.rpc',
} as const;

/** Who declares something. Everyone else only uses it, and waits until it is there. */
export type Owner = 'ingest' | 'dispatcher' | 'config';

/** The services' own queues are named after them; what waits for a retry is the dispatcher's. */
export function ownerOf(queue: string): Owner {
  if (queue.startsWith('ingest.')) return 'ingest';
  return queue.startsWith('config.') ? 'config' : 'dispatcher';
}
