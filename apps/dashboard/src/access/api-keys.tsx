import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import type { ApiKey } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/dialog.js';
import { Loaded } from '../ui/loaded.js';
import { Moment } from '../ui/moment.js';
import { MorePages, toldAbove } from '../ui/more-pages.js';
import { ProblemNotice } from '../ui/notice.js';
import { AddKey } from './add-key.js';

export const KEYS_QUERY = ['api-keys'];

function useKeys() {
  return useInfiniteQuery({
    queryKey: KEYS_QUERY,
    queryFn: ({ pageParam }) =>
      read(api.GET('/v1/api-keys', { params: { query: { ...(pageParam !== undefined && { cursor: pageParam }) } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
}

/** The keys of the workspace. */
export function ApiKeys() {
  const t = useText();
  const keys = useKeys();
  const [isAdding, setAdding] = useState(false);
  return (
    // The table's region has the name: two landmarks of the same one would not be told apart.
    <section className="panel">
      <h2 id="api-keys">{t('keys.title')}</h2>
      <p>{t('keys.what')}</p>
      <div className="actions">
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('keys.add')}
        </Button>
      </div>
      <Loaded query={toldAbove(keys)}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? <p className="hint">{t('keys.none')}</p> : <KeyTable keys={items} />;
        }}
      </Loaded>
      <MorePages pages={keys} />
      {isAdding && <AddKey onClose={() => setAdding(false)} />}
    </section>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const t = useText();
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <div className="scroll" tabIndex={0} role="region" aria-labelledby="api-keys">
      <table className="stacking">
        <thead>
          <tr>
            <th scope="col">{t('keys.name')}</th>
            <th scope="col">{t('keys.scopes')}</th>
            <th scope="col">{t('keys.created')}</th>
            <th scope="col">{t('keys.used')}</th>
            <th scope="col">{t('keys.expires')}</th>
            <th scope="col">{t('common.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row" dir="auto">
                {key.name}
              </th>
              <td data-label={t('keys.scopes')} title={key.scopes.join(', ')}>
                {key.scopes.map((scope) => t(`scope.${scope}`)).join(', ')}
              </td>
              <td data-label={t('keys.created')}>
                <Moment at={key.created_at} />
              </td>
              <td data-label={t('keys.used')}>
                {key.last_used_at === null ? t('keys.never') : <Moment at={key.last_used_at} as="relative" />}
              </td>
              <td data-label={t('keys.expires')}>
                {key.expires_at === null ? t('keys.never') : <Moment at={key.expires_at} />}
              </td>
              <td>
                <Button onClick={() => setRevoked(key)} aria-label={t('keys.revoke.name', { name: key.name })}>
                  {t('keys.revoke')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoked && <Revoke apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </div>
  );
}

function Revoke({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const t = useText();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => read(api.DELETE('/v1/api-keys/{key_id}', { params: { path: { key_id: apiKey.id } } })),
    onSuccess: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: KEYS_QUERY });
    },
  });
  return (
    <Confirm
      danger
      title={t('keys.revoke')}
      action={t('keys.revoke')}
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p dir="auto">
        <strong>{apiKey.name}</strong>
      </p>
      <p>{t('keys.revoke.what')}</p>
      {revoke.isError && <ProblemNotice error={revoke.error} />}
    </Confirm>
  );
}
