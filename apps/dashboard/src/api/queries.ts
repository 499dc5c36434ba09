import { queryOptions } from '@tanstack/react-query';
import { api, read, type Shapes } from './client.js';

export type Endpoint = Shapes['EndpointDto'];
export type Delivery = Shapes['DeliveryDto'];
export type DeliveryDetail = Shapes['DeliveryDetailDto'];
export type Attempt = Shapes['AttemptDto'];
export type Replay = Shapes['ReplayDto'];
export type Stats = Shapes['StatsDto'];
export type AuditEntry = Shapes['AuditEntryDto'];
export type ApiKey = Shapes['ApiKeyDto'];

/** How often what may have changed is asked for while somebody looks at it, ms. */
export const LIVE_MS = 3_000;
const CALM_MS = 15_000;
/** A form has at most 20 endpoints unless the installation allows more; the largest page holds them. */
const ALL = 100;

const OPEN_STATES: readonly string[] = ['pending', 'retrying'];
export const isOpen = (state: string): boolean => OPEN_STATES.includes(state);

export const endpointsQuery = (formId: string) =>
  queryOptions({
    queryKey: ['form', formId, 'endpoints'],
    queryFn: async () => {
      const params = { path: { form_id: formId }, query: { limit: ALL } };
      return (await read(api.GET('/v1/forms/{form_id}/endpoints', { params }))).items;
    },
    refetchInterval: CALM_MS,
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
    refetchInterval: CALM_MS,
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
    refetchInterval: ({ state: { data } }) => (data === undefined || isOpen(data.state) ? LIVE_MS / 3 : false),
  });

export const statsQuery = (formId: string, range: { readonly from?: string; readonly step?: Stats['step'] }) =>
  queryOptions({
    queryKey: ['form', formId, 'stats', range],
    queryFn: () =>
      read(api.GET('/v1/forms/{form_id}/stats', { params: { path: { form_id: formId }, query: { ...range } } })),
    refetchInterval: CALM_MS,
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
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? LIVE_MS / 3 : false),
  });

export const sourceIpsQuery = queryOptions({
  queryKey: ['source-ips'],
  queryFn: async () => (await read(api.GET('/v1/source-ips'))).items,
});
