/**
 * The REST API for a web page, which can load neither Nest nor `node:` modules: the enumerations, and the types of the
 * DTO classes without the classes, so that a shape stands in one place.
 */
export * from './enumerations.js';
export * from './keys/scopes.js';
export type * from './audit/audit-entry.dto.js';
export type * from './dashboard/dashboard.dto.js';
export type * from './deliveries/delivery-query.dto.js';
export type * from './deliveries/delivery.dto.js';
export type * from './endpoints/endpoint-actions.dto.js';
export type * from './endpoints/endpoint.dto.js';
export type * from './events/event-query.dto.js';
export type * from './events/event-search.dto.js';
export type * from './events/event.dto.js';
export type * from './forms/form.dto.js';
export type * from './http/log-query.dto.js';
export type * from './http/page.dto.js';
export type * from './http/problem.dto.js';
export type * from './keys/api-key.dto.js';
export type * from './keys/me.dto.js';
export type * from './live/live.dto.js';
export type * from './replays/replay.dto.js';
export type * from './source-ips/source-ips.dto.js';
export type * from './statistics/endpoint-health.dto.js';
export type * from './statistics/stats.dto.js';
