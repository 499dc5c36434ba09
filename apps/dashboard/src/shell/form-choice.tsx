import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, read } from '../api/client.js';
import { isStatus } from '../api/problem.js';
import { formsQuery } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';

/** As many as one page of the API has: a list as long as that may not be all. */
const LISTED = 100;

/** Which form this is about, and the way to another; where there are more than are listed, they are looked for. */
export function FormChoice() {
  const t = useText();
  const navigate = useNavigate();
  const { formId } = useParams({ strict: false });
  const [text, setText] = useState('');
  const listed = useQuery(formsQuery);
  const search = useQuery(foundFormsQuery(text));
  const all = listed.data ?? [];
  const found = search.data;
  if (formId === undefined) return null;
  const forms = found ?? all;
  const present = all.find(({ id }) => id === formId) ?? { id: formId, name: formId };
  const known = forms.some(({ id }) => id === formId) ? forms : [present, ...forms];
  if (all.length <= 1 && known.length === 1) {
    return (
      <>
        <span className="form-name" dir="auto">
          {present.name}
        </span>
        {isLost(listed) && <ListAgain isFetching={listed.isFetching} onAgain={() => void listed.refetch()} />}
      </>
    );
  }
  return (
    <>
      <select
        className="form-name"
        aria-label={t('shell.form')}
        value={formId}
        onChange={(event) => void navigate({ to: '/forms/$formId/endpoints', params: { formId: event.target.value } })}
      >
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {forms.length >= LISTED && <option disabled>{t('shell.forms.more', { count: LISTED })}</option>}
      </select>
      {all.length >= LISTED && (
        <FormSearch
          found={found?.length}
          isFailed={isLost(search)}
          onSearch={(wanted) => (wanted === text && isLost(search) ? void search.refetch() : setText(wanted))}
        />
      )}
    </>
  );
}

/** An error is no list of one form. */
const isLost = ({ data, error }: Pick<UseQueryResult, 'data' | 'error'>): boolean =>
  data === undefined && error !== null && !isStatus(error, 401);

function ListAgain({ isFetching, onAgain }: { readonly isFetching: boolean; readonly onAgain: () => void }) {
  const t = useText();
  return (
    <Button look="quiet" icon="retry" busy={isFetching} onClick={onAgain}>
      {t('shell.forms.failed')}
    </Button>
  );
}

interface FormSearchProps {
  /** How many, if it was looked for some. */
  readonly found: number | undefined;
  readonly isFailed: boolean;
  readonly onSearch: (text: string) => void;
}

function FormSearch({ found, isFailed, onSearch }: FormSearchProps) {
  const t = useText();
  const [text, setText] = useState('');
  return (
    <form
      role="search"
      aria-label={t('shell.forms.search')}
      className="actions"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <input
        type="search"
        className="form-name"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={t('shell.forms.search')}
        placeholder={t('shell.forms.search')}
      />
      <span className="hint" role="status">
        {isFailed ? t('shell.forms.failed') : found !== undefined && t('shell.forms.found', { count: found })}
      </span>
    </form>
  );
}

/** Forms with a text in their name or id. */
const foundFormsQuery = (text: string) =>
  queryOptions({
    queryKey: ['forms', text],
    queryFn: async () => (await read(api.GET('/v1/forms', { params: { query: { limit: LISTED, text } } }))).items,
    enabled: text !== '',
  });
