import type { Endpoint } from '../api/queries.js';
import { SETTING_LABELS } from '../text/setting-labels.js';
import { useText, type Text, type TextId } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { changedFields, draftOf, givesValue, type EndpointDraft } from './endpoint-draft.js';

const LABELS: Readonly<Record<keyof EndpointDraft, TextId>> = {
  url: SETTING_LABELS.url,
  description: SETTING_LABELS.description,
  events: SETTING_LABELS.events,
  headers: SETTING_LABELS.headers,
  rateLimit: SETTING_LABELS.rate_limit,
  retrySchedule: SETTING_LABELS.retry_schedule,
  retryStatuses: SETTING_LABELS.retry_statuses,
  redirectIsSuccess: SETTING_LABELS.redirect_is_success,
};

interface SettingsConflictProps {
  readonly draft: EndpointDraft;
  readonly base: Endpoint;
  /** As it is now. */
  readonly theirs: Endpoint;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/**
 * Somebody else has changed the endpoint meanwhile: beside what is typed here stands what it would be written over. What
 * was not touched here stays as they have it, whatever is decided.
 */
export function SettingsConflict({ draft, base, theirs, onKeepMine, onTakeTheirs }: SettingsConflictProps) {
  const t = useText();
  const [was, now] = [draftOf(base), draftOf(theirs)];
  const fields = changedFields(draft, was);
  // Where the values go that are typed here, which was not touched here and stays as they have it.
  const isMoved = givesValue(draft) && !fields.includes('url') && changedFields(now, was).includes('url');
  return (
    <Notice
      kind="warning"
      isNews
      title={t('conflict.title')}
      actions={
        <>
          <Button onClick={onTakeTheirs}>{t('conflict.theirs.take')}</Button>
          <Button look="main" onClick={onKeepMine}>
            {t('conflict.mine.keep')}
          </Button>
        </>
      }
    >
      <p>{t('conflict.what')}</p>
      <div className="scroll" tabIndex={0} role="region" aria-label={t('conflict.title')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('conflict.field')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
              <th scope="col">{t('conflict.mine')}</th>
            </tr>
          </thead>
          <tbody>
            {isMoved && (
              <tr>
                <th scope="row">{t(LABELS.url)}</th>
                <td dir="auto" colSpan={2}>
                  {wordsOf(now, 'url', t)}
                </td>
              </tr>
            )}
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{t(LABELS[field])}</th>
                <td dir="auto">{wordsOf(now, field, t)}</td>
                <td dir="auto">{wordsOf(draft, field, t)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Notice>
  );
}

function wordsOf(draft: EndpointDraft, field: keyof EndpointDraft, t: Text): string {
  if (field === 'events') return draft.events.map((event) => t(`event.${event}`)).join(', ');
  if (field === 'headers') return draft.headers.map(({ name }) => name).join(', ') || '–';
  if (field === 'redirectIsSuccess') return t(draft.redirectIsSuccess ? 'common.yes' : 'common.no');
  return draft[field] || '–';
}
