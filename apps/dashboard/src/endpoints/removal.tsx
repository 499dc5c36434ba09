import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { Endpoint } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/dialog.js';
import { ProblemNotice } from '../ui/notice.js';

/** Deletes an endpoint, after its owner has read what goes with it. */
export function Removal({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoval(endpoint);
  return (
    <section className="panel" aria-labelledby="removal">
      <h2 id="removal">{t('removal.title')}</h2>
      <p>{t('removal.what')}</p>
      <Button
        look="danger"
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {t('removal.do')}
      </Button>
      {isAsking && (
        <Confirm
          danger
          title={t('removal.ask')}
          action={t('removal.do')}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p className="url">{endpoint.url}</p>
          <p>{t('removal.what')}</p>
          {remove.isError && <ProblemNotice error={remove.error} />}
        </Confirm>
      )}
    </section>
  );
}

function useRemoval({ form_id: formId, id }: Endpoint) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      read(
        api.DELETE('/v1/forms/{form_id}/endpoints/{endpoint_id}', {
          params: { path: { form_id: formId, endpoint_id: id } },
        }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/forms/$formId/endpoints', params: { formId } });
      void queries.invalidateQueries({ queryKey: ['form', formId, 'endpoints'] });
    },
  });
}
