import { queryOptions } from '@tanstack/react-query';
import { queryOf } from '../deliveries/delivery-filter.js';
import { filledPage } from '../deliveries/rows/filled-page.js';
import { BECAUSE_OFF, cancelledWhileOff } from './cancelled-while-off.js';
import { api, read, type Shapes } from './client.js';
import { pollMs } from './live.js';
import { watchMs, WATCHED_MS } from './watched.js';

export type Endpoint = Shapes['EndpointDto'];
export type Delivery = Shapes['DeliveryDto'];
export type DeliveryDetail = Shapes['DeliveryDetailDto'];
export type Attempt = Shapes['AttemptDto'];
export type Replay = Shapes['ReplayDto'];
export type Stats = Shapes['StatsDto'];
export type AuditEntry = Shapes['AuditEntryDto'];
export type Health = Shapes['EndpointHealthDto'];
export type Secrets = Shapes['SecretStateDto'];
export type ApiKey = Shapes['ApiKeyDto'];

/** A form has at most 20 endpoints unless the installation allows more; the largest page holds them. */
const ALL = 100;

let knownTimeZone: string | undefined;

/**
 * The viewer's, in which days and hours of the statistics begin. Asked for when it is needed: the first question takes a
 * browser a tenth of a second, for which the page's first call would wait.
 */
const timeZone = (): string => (knownTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

export const endpointsQuery = (formId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'endpoints'],
    queryFn: async () => {
      const params = { path: { form_id: formId }, query: { limit: ALL } };
      return (await read(api.GET('/v1/forms/{form_id}/endpoints', { params }))).items;
    },
    refetchInterval: pollMs,
  });

export const endpointQuery = (formId: string, endpointId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'endpoints', endpointId],
    queryFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/endpoints/{endpoint_id}', {
          params: { path: { form_id: formId, endpoint_id: endpointId } },
        }),
      ),
    refetchInterval: pollMs,
  });

export const deliveryQuery = (formId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'delivery', deliveryId],
    queryFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/deliveries/{delivery_id}', {
          params: { path: { form_id: formId, delivery_id: deliveryId } },
        }),
      ),
    refetchInterval: ({ state }) => watchMs(state, pollMs(), Date.now()),
  });

/** The day until now, by the hour. */
export const LAST_DAY = { step: '1h' } as const;

export const statsQuery = (formId: string, range: { readonly from?: string; readonly step?: Stats['step'] }) =>
  queryOptions({
    queryKey: ['form', formId, 'stats', range],
    queryFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/stats', {
          params: { path: { form_id: formId }, query: { ...range, timezone: timeZone() } },
        }),
      ),
    refetchInterval: pollMs,
  });

export const replayQuery = (formId: string, replayId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'replay', replayId],
    queryFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/replays/{replay_id}', {
          params: { path: { form_id: formId, replay_id: replayId } },
        }),
      ),
    refetchInterval: ({ state: { data } }) => data?.state === 'running' && pollMs() && WATCHED_MS,
  });

export const sourceIpsQuery = queryOptions({
  queryKey: ['source-ips'],
  queryFn: async () => (await read(api.GET('/v1/source-ips'))).items,
});

export const healthQuery = (formId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'health'],
    queryFn: async () =>
      (await read(api.GET('/v1/forms/{form_id}/endpoint-health', { params: { path: { form_id: formId } } }))).items,
    refetchInterval: pollMs,
  });

/** What was cancelled because an endpoint is off, as far as that is cheap to know. */
export const cancelledQuery = (formId: string, endpointId: string, offSince: string) =>
  queryOptions({
    queryKey: ['form', formId, 'cancelled', endpointId, offSince],
    queryFn: async ({ signal }) => {
      const query = { ...queryOf({ endpoint_id: endpointId, ...BECAUSE_OFF }), limit: ALL };
      const page = await filledPage((cursor) => {
        const params = { path: { form_id: formId }, query: { ...query, ...(cursor !== undefined && { cursor }) } };
        return read(api.GET('/v1/forms/{form_id}/deliveries', { params, signal }));
      }, undefined);
      return cancelledWhileOff(page, offSince);
    },
    refetchInterval: pollMs,
  });

export const secretsQuery = (formId: string, endpointId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'secret', endpointId],
    queryFn: () =>
      read(
        api.GET('/v1/forms/{form_id}/endpoints/{endpoint_id}/secret', {
          params: { path: { form_id: formId, endpoint_id: endpointId } },
        }),
      ),
    refetchInterval: pollMs,
  });

/** The forms that the viewer may see. */
export const formsQuery = queryOptions({
  queryKey: ['forms'],
  queryFn: async () => (await read(api.GET('/v1/forms', { params: { query: { limit: ALL } } }))).items,
});

export const replaysQuery = (formId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'replays'],
    queryFn: async () =>
      (
        await read(
          api.GET('/v1/forms/{form_id}/replays', { params: { path: { form_id: formId }, query: { limit: 20 } } }),
        )
      ).items,
    refetchInterval: pollMs,
  });
