import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery, healthQuery, LAST_DAY, statsQuery, type Endpoint } from '../api/queries.js';
import { isStatus } from '../api/problem.js';
import { useMay } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Empty, Loaded } from '../ui/loaded.js';
import { Notice } from '../ui/notice.js';
import { AddEndpoint } from './add-endpoint.js';
import { EndpointCard } from './endpoint-card.js';

/** The endpoints of a form, with how each fares. */
export function EndpointsView() {
  const t = useText();
  const { formId } = useParams({ from: '/forms/$formId/endpoints' });
  const endpoints = useQuery(endpointsQuery(formId));
  const mayChange = useMay('endpoints:write');
  const [isAdding, setAdding] = useState(false);
  const add = mayChange && (
    <Button look="main" icon="plus" onClick={() => setAdding(true)}>
      {t('endpoints.add')}
    </Button>
  );
  return (
    <>
      <PageTitle title={t('endpoints.title')} actions={add}>
        <p className="lead">{t('endpoints.lead')}</p>
      </PageTitle>
      <Loaded query={endpoints}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={t('endpoints.none')} action={add}>
              <p>{t(mayChange ? 'endpoints.none.what' : 'endpoints.none.viewer')}</p>
            </Empty>
          ) : (
            <EndpointList formId={formId} endpoints={items} />
          )
        }
      </Loaded>
      {isAdding && <AddEndpoint formId={formId} onClose={() => setAdding(false)} />}
    </>
  );
}

function EndpointList({ formId, endpoints }: { readonly formId: string; readonly endpoints: readonly Endpoint[] }) {
  const stats = useQuery(statsQuery(formId, LAST_DAY));
  const health = useQuery(healthQuery(formId));
  return (
    <>
      <FaresUnknown queries={[stats, health]} />
      <ul className="cards">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id}>
            <EndpointCard
              endpoint={endpoint}
              health={health.data?.find(({ endpoint_id: id }) => id === endpoint.id)}
              stats={stats.data?.endpoints.find(({ endpoint_id: id }) => id === endpoint.id)}
              range={stats.data}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type Fares = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>;

/** What the cards show is missing: said once for all. Numbers that are there and only old are told with the list. */
function FaresUnknown({ queries }: { readonly queries: readonly Fares[] }) {
  const t = useText();
  const missing = queries.filter(({ data, error }) => data === undefined && error !== null && !isStatus(error, 401));
  if (missing.length === 0) return null;
  return (
    <Notice
      kind="warning"
      isNews
      title={t('endpoints.fares.failed')}
      actions={
        <Button
          icon="retry"
          busy={missing.some(({ isFetching }) => isFetching)}
          onClick={() => missing.forEach(({ refetch }) => void refetch())}
        >
          {t('common.again')}
        </Button>
      }
    >
      <p>{t('endpoints.fares.failed.what')}</p>
    </Notice>
  );
}
