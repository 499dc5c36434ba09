import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../api/client.js';
import { isStatus } from '../api/problem.js';
import { endpointQuery, type Endpoint } from '../api/queries.js';
import type { AfterOther, EndpointChanges } from './endpoint-draft.js';

interface Asked {
  readonly changes: EndpointChanges;
  /** The version that its owner saw: another's change in between is refused (412) and not written over. */
  readonly version: number;
  /** What to do about the endpoint as it is now if it is not as it was seen; without, its owner is asked. */
  readonly afterOther?: (now: Endpoint) => AfterOther;
}

export const matchOf = (version: number): string => `"${version}"`;

/** A switch takes back nothing of another change: it is there already, or it is as it was seen. */
export const afterSwitch = (now: Pick<Endpoint, 'enabled'>, enabled: boolean): AfterOther =>
  now.enabled === enabled ? 'done' : 'save';

/** Changes an endpoint if it still is as it was seen. @param onChanged called also if the view is gone by then */
export function useChangeEndpoint(
  { form_id: formId, id }: Pick<Endpoint, 'form_id' | 'id'>,
  onChanged?: (endpoint: Endpoint) => void,
) {
  const queries = useQueryClient();
  const write = ({ changes, version }: Asked): Promise<Endpoint> =>
    read(
      api.PATCH('/v1/forms/{form_id}/endpoints/{endpoint_id}', {
        params: { path: { form_id: formId, endpoint_id: id }, header: { 'if-match': matchOf(version) } },
        body: changes,
      }),
    );
  return useMutation({
    mutationFn: async (asked: Asked): Promise<Endpoint> => {
      try {
        return await write(asked);
      } catch (thrown) {
        if (!isStatus(thrown, 412) || asked.afterOther === undefined) throw thrown;
        const now = await queries.fetchQuery({ ...endpointQuery(formId, id), staleTime: 0 });
        const next = asked.afterOther(now);
        if (next === 'ask') throw thrown;
        return next === 'done' ? now : write({ ...asked, version: now.version });
      }
    },
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
