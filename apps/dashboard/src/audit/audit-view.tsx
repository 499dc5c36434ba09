import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../api/queries.js';
import { useMay } from '../session/session-context.js';
import { PageTitle } from '../shell/page-title.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Empty, Loaded } from '../ui/loaded.js';
import { Moment } from '../ui/moment.js';
import { MorePages, toldAbove } from '../ui/more-pages.js';
import { TimeRangeFields } from '../ui/filters/time-range-fields.js';
import { useTypedText } from '../ui/filters/typed-text.js';
import { visibleText } from '../ui/visible-text.js';
import { AuditExport } from './audit-export.js';
import { auditFilterOf, type AuditFilter, type AuditSearch } from './audit-filter.js';
import { ACTIONS, actionName, fieldName, valueWords } from './audit-names.js';
import { listAudit } from './audit-query.js';

const PAGE = 50;

/** Who changed what of the form, newest first. */
export function AuditView() {
  const t = useText();
  const { formId } = useParams({ from: '/forms/$formId/audit' });
  const search = useSearch({ from: '/forms/$formId/audit' });
  const mayRead = useMay('audit:read');
  return (
    <>
      <PageTitle title={t('audit.title')} />
      {mayRead ? (
        <>
          <AuditFilters formId={formId} search={search} />
          <Entries formId={formId} search={search} />
        </>
      ) : (
        <Empty title={t('problem.forbidden')}>
          <p>{t('audit.forbidden.what')}</p>
        </Empty>
      )}
    </>
  );
}

interface AuditProps {
  readonly formId: string;
  readonly search: AuditSearch;
}

function AuditFilters({ formId, search }: AuditProps) {
  const t = useText();
  const navigate = useNavigate();
  const [actor, setActor] = useTypedText(search['actor'] ?? '');
  const action = search['action'] ?? '';
  const change = (changed: AuditSearch): void =>
    void navigate({ to: '/forms/$formId/audit', params: { formId }, search: (kept) => ({ ...kept, ...changed }) });
  return (
    <search className="filters">
      <Field label={t('audit.action')}>
        {(control) => (
          <select {...control} value={action} onChange={(event) => change({ action: event.target.value })}>
            <option value="">{t('filter.all')}</option>
            {action !== '' && actionName(action, t) === undefined && <option value={action}>{action}</option>}
            {ACTIONS.map((one) => (
              <option key={one} value={one}>
                {actionName(one, t)} ({one})
              </option>
            ))}
          </select>
        )}
      </Field>
      <form
        className="id-search"
        onSubmit={(event) => {
          event.preventDefault();
          change({ actor: actor.trim() });
        }}
      >
        <Field label={t('audit.actor')}>
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder="user:…"
              spellCheck={false}
              value={actor}
              onChange={(event) => setActor(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit">{t('filter.id.do')}</Button>
      </form>
      <TimeRangeFields range={search} onChange={change} />
    </search>
  );
}

function useEntries(formId: string, filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['form', formId, 'audit', filter],
    queryFn: ({ pageParam }) => listAudit(formId, filter, PAGE, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    // All pages that were opened would be read again with each return to the tab.
    refetchOnWindowFocus: false,
  });
}

function Entries({ formId, search }: AuditProps) {
  const t = useText();
  const filter = auditFilterOf(search);
  const entries = useEntries(formId, filter);
  return (
    <Loaded query={toldAbove(entries)}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return <NoEntry formId={formId} isFiltered={Object.keys(filter).length > 0} />;
        return (
          <>
            <div className="scroll" tabIndex={0} role="region" aria-label={t('audit.title')}>
              <EntryTable entries={items} />
            </div>
            <AuditExport key={JSON.stringify(filter)} formId={formId} filter={filter} />
            <MorePages pages={entries} />
          </>
        );
      }}
    </Loaded>
  );
}

function NoEntry({ formId, isFiltered }: { readonly formId: string; readonly isFiltered: boolean }) {
  const t = useText();
  return (
    <Empty
      title={t('audit.none')}
      action={
        isFiltered && (
          <Link className="button" to="/forms/$formId/audit" params={{ formId }} search={{}}>
            {t('filter.clear')}
          </Link>
        )
      }
    >
      <p>{t(isFiltered ? 'deliveries.none.matching.what' : 'audit.none.what')}</p>
    </Empty>
  );
}

function EntryTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const t = useText();
  return (
    <table className="stacking">
      <thead>
        <tr>
          <th scope="col">{t('audit.at')}</th>
          <th scope="col">{t('audit.actor')}</th>
          <th scope="col">{t('audit.action')}</th>
          <th scope="col">{t('audit.target')}</th>
          <th scope="col">{t('audit.changes')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <th scope="row">
              <Moment at={entry.at} />
            </th>
            <td>
              {visibleText(entry.actor)}
              {entry.ip !== null && <span className="hint"> {entry.ip}</span>}
            </td>
            <td>
              {actionName(entry.action, t)} <code className="unbroken">{entry.action}</code>
            </td>
            <td>
              <code>{entry.target.id}</code>
            </td>
            <td>
              <Changes changes={entry.changes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Changes({ changes }: { readonly changes: AuditEntry['changes'] }) {
  const t = useText();
  if (changes.length === 0) return <>–</>;
  return (
    <ul className="changes">
      {changes.map(({ field, old, new: now }) => (
        <li key={field}>
          <strong>{fieldName(field, t)}</strong>
          {(old !== undefined || now !== undefined) && (
            <>
              {': '}
              <del>{valueWords(field, old, t)}</del> <ins>{valueWords(field, now, t)}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
