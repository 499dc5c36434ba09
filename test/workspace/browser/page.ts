import {
  ATTEMPT_OUTCOMES,
  DELIVERY_STATES,
  ERROR_CODES,
  EVENT_NAMES,
  REASONS,
} from '@form-webhooks/domain/enumerations';
import { REPLAY_STATES, SCOPES, STATS_STEPS } from '@form-webhooks/http-api/shapes';
import type { DeliveryListDto, EndpointDto, ProblemDto, ReplayFilterDto } from '@form-webhooks/http-api/shapes';

/** What a page of the dashboard takes from the product's packages; browser.spec.ts bundles it and checks its types. */
export const choices = {
  states: DELIVERY_STATES,
  reasons: REASONS,
  outcomes: ATTEMPT_OUTCOMES,
  errors: ERROR_CODES,
  events: EVENT_NAMES,
  scopes: SCOPES,
  steps: STATS_STEPS,
  replays: REPLAY_STATES,
};

export const filter: ReplayFilterDto = { state: 'failed', endpoint_id: 'we_1', error: 'timeout' };

export const titleOf = ({ url, enabled }: EndpointDto): string => `${url} (${enabled ? 'on' : 'off'})`;

export const statesOf = (page: DeliveryListDto): string[] => page.items.map(({ state }) => state.toUpperCase());

export const wordsOf = ({ detail, errors }: ProblemDto): string[] => [
  detail,
  ...(errors ?? []).map(({ field, message }) => `${field}: ${message}`),
];
