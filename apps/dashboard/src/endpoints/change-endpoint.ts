import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import { isStatus } from '../api/problem.js';
import { endpointQuery, type Endpoint } from '../api/queries.js';
import type { EndpointChanges } from './endpoint-draft.js';

interface Asked {
  readonly changes: EndpointChanges;
  /** The version that its owner saw: another's change in between is refused (412) and not written over. */
  readonly version: number;
}

export const matchOf = (version: number): string => `"${version}"`;

/** Changes an endpoint if it still is as it was seen. @param onChanged called also if the view is gone by then */
export function useChangeEndpoint(
  { form_id: formId, id }: Pick<Endpoint, 'form_id' | 'id'>,
  onChanged?: (endpoint: Endpoint) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ changes, version }: Asked) =>
      read(
        api.PATCH('/v1/forms/{form_id}/endpoints/{endpoint_id}', {
          params: { path: { form_id: formId, endpoint_id: id }, header: { 'if-match': matchOf(version) } },
          body: changes,
        }),
      ),
    onError: (error) => {
      const asked = queries.invalidateQueries({ queryKey: endpointQuery(formId, id).queryKey });
      // That somebody else was first is told once it is known what they wrote: what is then decided is about that.
      return isStatus(error, 412) ? asked : undefined;
    },
    onSuccess: (endpoint) => {
      queries.setQueryData(endpointQuery(formId, id).queryKey, endpoint);
      onChanged?.(endpoint);
      void queries.invalidateQueries({ queryKey: ['form', formId, 'endpoints'] });
    },
  });
}
