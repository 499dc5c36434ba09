import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read, type Shapes } from '../../api/client.js';
import { secretsQuery, type Endpoint } from '../../api/queries.js';
import { fullMoment } from '../../text/moments.js';
import { useLanguage, useText } from '../../text/text.js';
import { announce } from '../../ui/announcer.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Notice, ProblemNotice } from '../../ui/notice.js';
import { latestEnd, overlapsLeft } from './overlaps.js';

interface OverlapEndProps {
  readonly endpoint: Endpoint;
  /** An earlier one that still signs. */
  readonly secret: Shapes['SecretDto'];
}

/** Ends an earlier secret's overlap early, or lets it last longer, as far as it may. */
export function OverlapEnd({ endpoint, secret }: OverlapEndProps) {
  const t = useText();
  const language = useLanguage();
  // Since when it is asked: what is offered must not change under who chooses.
  const [askedAt, setAskedAt] = useState<number>();
  const [overlap, setOverlap] = useState(0);
  const change = useOverlapEnd(endpoint, secret.id, () => {
    setAskedAt(undefined);
    announce(t('overlap.done'));
  });
  const ask = (): void => {
    change.reset();
    setOverlap(0);
    setAskedAt(Date.now());
  };
  return (
    <>
      <Button onClick={ask}>{t('overlap.change')}</Button>
      {askedAt !== undefined && (
        <Confirm
          danger={overlap === 0}
          title={t('overlap.title', { hint: secret.hint })}
          action={t(overlap === 0 ? 'overlap.end' : 'overlap.move')}
          busy={change.isPending}
          onConfirm={() => change.mutate(overlap)}
          onClose={() => setAskedAt(undefined)}
        >
          <Field label={t('overlap.from-now')}>
            {(control) => (
              <select {...control} value={overlap} onChange={(event) => setOverlap(Number(event.target.value))}>
                {overlapsLeft(secret.since, askedAt).map(([seconds, id]) => (
                  <option key={seconds} value={seconds}>
                    {t(id, { moment: fullMoment(latestEnd(secret.since), language) })}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {overlap === 0 && (
            <Notice kind="warning" title={t('overlap.ends', { hint: secret.hint })}>
              <p>{t('rotation.overlap.none.what')}</p>
            </Notice>
          )}
          {change.isError && <ProblemNotice error={change.error} />}
        </Confirm>
      )}
    </>
  );
}

function useOverlapEnd({ form_id, id: endpoint_id }: Endpoint, secret_id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (overlap_seconds: number) =>
      read(
        api.PUT('/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/previous/{secret_id}', {
          params: { path: { form_id, endpoint_id, secret_id } },
          body: { overlap_seconds },
        }),
      ),
    onSuccess: (secrets) => {
      queries.setQueryData(secretsQuery(form_id, endpoint_id).queryKey, secrets);
      onDone();
      void queries.invalidateQueries({ queryKey: ['form', form_id, 'endpoints'] });
    },
  });
}
