import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { isStatus } from '../api/problem.js';
import { endpointsQuery, type Delivery } from '../api/queries.js';
import { useMay, useSession } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { fullMoment } from '../text/moments.js';
import { useLanguage, useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Empty, Loaded } from '../ui/loaded.js';
import { Notice } from '../ui/notice.js';
import { NewestReplay } from '../replays/newest-replay.js';
import { ReplayMatching } from '../replays/replay-matching.js';
import { filterOf, isFiltered, type DeliverySearch } from './delivery-filter.js';
import { DeliveryTable } from './delivery-table.js';
import { FilterBar } from './filters/filter-bar.js';
import { useDeliveryPages } from './rows/delivery-pages.js';
import { useLettingIn } from './rows/letting-in.js';

/** The delivery log of a form, newest first, with one delivery beside it. */
export function DeliveriesView() {
  const t = useText();
  const { formId } = useParams({ from: '/forms/$formId/deliveries' });
  const search = useSearch({ from: '/forms/$formId/deliveries' });
  const { deliveryId } = useParams({ strict: false });
  const mayReplay = useMay('deliveries:replay');
  // Of the view and not of its log, which is another for each filter.
  const [isLive, setLive] = useState(true);
  const filter = filterOf(search);
  const shown = JSON.stringify(filter);
  const [replayed, setReplayed] = useState<string>();
  // Back can bring another log behind the dialog: it was not asked about that one, and goes.
  if (replayed !== undefined && replayed !== shown) setReplayed(undefined);
  return (
    <>
      <PageTitle
        title={t('deliveries.title')}
        actions={
          mayReplay && (
            <Button icon="retry" onClick={() => setReplayed(shown)}>
              {t('replay.matching')}
            </Button>
          )
        }
      />
      <div className={deliveryId === undefined ? 'log-head' : 'log-head open'}>
        <NewestReplay formId={formId} />
        <FilterBar formId={formId} search={search} />
      </div>
      <div className={deliveryId === undefined ? 'log-and-panel' : 'log-and-panel open'}>
        <Log key={shown} formId={formId} search={search} isLive={isLive} onTurn={setLive} />
        <Outlet />
      </div>
      {replayed === shown && <ReplayMatching formId={formId} filter={filter} onClose={() => setReplayed(undefined)} />}
    </>
  );
}

interface LogProps {
  readonly formId: string;
  readonly search: DeliverySearch;
  readonly isLive: boolean;
  readonly onTurn: (isLive: boolean) => void;
}

function Log({ formId, search, isLive, onTurn }: LogProps) {
  const t = useText();
  const filter = useMemo(() => filterOf(search), [search]);
  const { deliveryId } = useParams({ strict: false });
  const { pages, question, rows, fresh, gone, letIn, isCut } = useDeliveryPages(formId, filter, isLive, deliveryId);
  const scroll = useRef<HTMLDivElement>(null);
  const endpoints = useQuery(endpointsQuery(formId)).data;
  const endpointOf = useCallback((id: string) => endpoints?.find((one) => one.id === id), [endpoints]);
  // First, so that who comes back to her row finds nothing moved.
  useFocusOnReturn(scroll);
  useLettingIn(scroll, { fresh, gone, letIn });
  const { more, mayAsk } = useFurtherPage(pages);
  return (
    <section className="log-box" aria-label={t('deliveries.title')}>
      <div className="log-tools">
        <Button icon={isLive ? 'pause' : 'send'} onClick={() => onTurn(!isLive)}>
          {t(isLive ? 'deliveries.pause' : 'deliveries.paused')}
        </Button>
        {fresh + gone > 0 && (
          <Button
            look="main"
            onClick={() => {
              letIn();
              if (fresh > 0) scroll.current?.scrollTo({ top: 0 });
            }}
          >
            {fresh > 0 ? t('deliveries.new', { count: fresh }) : t('deliveries.gone', { count: gone })}
          </Button>
        )}
      </div>
      <Loaded query={{ data: pages.data, isPending: pages.isPending, ...question }}>
        {() =>
          rows.length === 0 && pages.hasNextPage ? (
            <Button busy={pages.isFetchingNextPage} onClick={more}>
              {t('deliveries.look-on')}
            </Button>
          ) : rows.length === 0 ? (
            <Empty title={t(isFiltered(search) ? 'deliveries.none.matching' : 'deliveries.none')}>
              <p>{t(isFiltered(search) ? 'deliveries.none.matching.what' : 'deliveries.none.what')}</p>
            </Empty>
          ) : (
            <DeliveryTable
              rows={rows}
              endpointOf={endpointOf}
              hasMore={pages.hasNextPage}
              onNearEnd={mayAsk ? more : undefined}
              scroll={scroll}
            />
          )
        }
      </Loaded>
      {pages.isFetchNextPageError && isStatus(pages.error, 401) && (
        // Refused after the session was renewed already, nothing else asks again.
        <Button icon="retry" busy={pages.isFetchingNextPage} onClick={more}>
          {t('common.again')}
        </Button>
      )}
      {isCut && <OlderRows formId={formId} last={rows.at(-1)!} />}
    </section>
  );
}

/** The next page, which is asked for by itself only once: after a failure it waits for somebody who presses. */
function useFurtherPage(pages: ReturnType<typeof useDeliveryPages>['pages']) {
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const session = useSession();
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  // That nobody was signed in is told by the page's foot, without a button here: it is asked again once somebody is.
  useEffect(() => {
    if (isFetchNextPageError) more();
  }, [session]);
  return { more, mayAsk: hasNextPage && !isFetchingNextPage && !isFetchNextPageError };
}

/** The page keeps no more rows; older ones are a log of their own. */
function OlderRows({ formId, last }: { readonly formId: string; readonly last: Delivery }) {
  const t = useText();
  const language = useLanguage();
  // Others may have been accepted in the same moment.
  const to = new Date(Date.parse(last.accepted_at) + 1).toISOString();
  return (
    <Notice kind="info" title={t('deliveries.cut', { moment: fullMoment(last.accepted_at, language) })}>
      <p>
        <Link to="/forms/$formId/deliveries" params={{ formId }} search={(kept) => ({ ...kept, to })}>
          {t('deliveries.older')}
        </Link>
      </p>
    </Notice>
  );
}

/** Who closes a delivery is back on its row, or on the list if the row is out of sight. */
function useFocusOnReturn(scroll: RefObject<HTMLDivElement | null>): void {
  const { deliveryId } = useParams({ strict: false });
  const shown = useRef(deliveryId);
  useEffect(() => {
    const left = shown.current;
    shown.current = deliveryId;
    if (left === undefined || deliveryId !== undefined) return;
    const links = scroll.current?.querySelectorAll<HTMLElement>('.row-link') ?? [];
    const row = Array.from(links).find(({ dataset }) => dataset['delivery'] === left);
    (row ?? scroll.current)?.focus({ preventScroll: true });
  }, [deliveryId]);
}
