import { SETTING_LABELS } from '../text/setting-labels.js';
import { useText, type TextId } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Check, Field } from '../ui/field.js';
import {
  isRepeatedHeader,
  isWrongHeaderName,
  lacksValue,
  type DraftProblems,
  type EndpointDraft,
  type HeaderDraft,
} from './endpoint-draft.js';
import { EventChoice } from './event-choice.js';

interface SettingsFieldsProps {
  readonly draft: EndpointDraft;
  readonly problems: DraftProblems;
  readonly disabled: boolean;
  readonly onChange: (changed: Partial<EndpointDraft>) => void;
}

type TextField = 'url' | 'description' | 'rateLimit' | 'retrySchedule' | 'retryStatuses';

const LABELS: Readonly<Record<TextField, readonly [label: TextId, hint: TextId]>> = {
  url: [SETTING_LABELS.url, 'endpoint.url.hint'],
  description: [SETTING_LABELS.description, 'endpoint.description.hint'],
  rateLimit: [SETTING_LABELS.rate_limit, 'settings.rate.hint'],
  retrySchedule: [SETTING_LABELS.retry_schedule, 'settings.schedule.hint'],
  retryStatuses: [SETTING_LABELS.retry_statuses, 'settings.statuses.hint'],
};

export function SettingsFields(props: SettingsFieldsProps) {
  const t = useText();
  const { draft, disabled, onChange } = props;
  return (
    <>
      <TextInput field="url" {...props} />
      <TextInput field="description" {...props} />
      <EventChoice chosen={draft.events} disabled={disabled} onChange={(events) => onChange({ events })} />
      <details className="advanced">
        <summary>{t('settings.more')}</summary>
        <div className="stack">
          <Headers {...props} />
          <TextInput field="rateLimit" {...props} />
          <TextInput field="retrySchedule" {...props} />
          <TextInput field="retryStatuses" {...props} />
          <Check
            label={t(SETTING_LABELS.redirect_is_success)}
            hint={t('settings.redirect.hint')}
            checked={draft.redirectIsSuccess}
            disabled={disabled}
            onChange={(redirectIsSuccess) => onChange({ redirectIsSuccess })}
          />
        </div>
      </details>
    </>
  );
}

function TextInput({
  field,
  draft,
  problems,
  disabled,
  onChange,
}: SettingsFieldsProps & { readonly field: TextField }) {
  const t = useText();
  const [label, hint] = LABELS[field];
  const problem = problems[field];
  return (
    <Field label={t(label)} hint={t(hint)} error={problem && t(problem)}>
      {(control) => (
        <input
          {...control}
          disabled={disabled}
          dir={field === 'description' ? 'auto' : 'ltr'}
          spellCheck={field === 'description'}
          maxLength={field === 'description' ? 500 : 8_192}
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

/** Headers that the endpoint's requests carry; values that are stored are shown to nobody. */
function Headers({ draft, problems, disabled, onChange }: SettingsFieldsProps) {
  const t = useText();
  const change = (index: number, changed: Partial<HeaderDraft>): void =>
    onChange({ headers: draft.headers.map((one, at) => (at === index ? { ...one, ...changed } : one)) });
  return (
    <fieldset disabled={disabled}>
      <legend>{t(SETTING_LABELS.headers)}</legend>
      <p className="hint">{t('settings.headers.hint')}</p>
      {draft.headers.map((header, index) => (
        <div className="header-row" key={index}>
          <input
            aria-label={t('settings.header.name')}
            aria-invalid={isWrongHeaderName(header) || isRepeatedHeader(header, draft.headers) || undefined}
            readOnly={header.isKept}
            spellCheck={false}
            value={header.name}
            onChange={(event) => change(index, { name: event.target.value })}
          />
          <input
            aria-label={t('settings.header.value', { name: header.name })}
            aria-invalid={lacksValue(header) || undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={header.isKept ? t('settings.header.kept') : ''}
            value={header.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <Button
            icon="cross"
            aria-label={t('settings.header.remove', { name: header.name })}
            onClick={() => onChange({ headers: draft.headers.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      {problems.headers && (
        <p className="error" role="alert">
          {t(problems.headers)}
        </p>
      )}
      <Button
        icon="plus"
        onClick={() => onChange({ headers: [...draft.headers, { name: '', value: '', isKept: false }] })}
      >
        {t('settings.header.add')}
      </Button>
    </fieldset>
  );
}
