import { ERROR_CODES, REASONS, STATUS_CLASSES, TRIGGERS, type Trigger } from '@form-webhooks/domain/enumerations';
import { useText } from '../../text/text.js';
import { Button } from '../../ui/button.js';
import { StatusField } from '../../ui/filters/status-field.js';
import { TimeRangeFields } from '../../ui/filters/time-range-fields.js';
import { COUNTED, filterOf, type FilterField } from '../delivery-filter.js';
import { errorName } from '../explain.js';
import { Choice } from './choice.js';
import type { FilterPartProps } from './filter-part.js';

/** What stands behind "more". */
export const DETAILS = [
  'from',
  'to',
  'response_status',
  'response_class',
  'error',
  'reason',
  'min_attempts',
  'trigger',
] as const satisfies readonly FilterField[];

/** The numbers of attempts that are offered; the address takes others too. */
const ATTEMPTS = ['2', '3', '5', '10'];

const HOURS = [1, 24, 7 * 24] as const;
const HOUR_MS = 3_600_000;

/** What is asked for less often. */
export function FilterDetails({ search, onChange }: FilterPartProps) {
  const t = useText();
  const since = (hours: number): void =>
    onChange({ from: new Date(Date.now() - hours * HOUR_MS).toISOString(), to: '' });
  return (
    <div className="filters">
      <div role="group" aria-label={t('filter.since')} className="segments">
        {HOURS.map((hours) => (
          <Button key={hours} onClick={() => since(hours)}>
            {t('filter.hours', { hours })}
          </Button>
        ))}
      </div>
      <TimeRangeFields range={search} onChange={onChange} />
      <StatusField
        status={search.response_status ?? ''}
        onChange={(response_status) => onChange({ response_status })}
      />
      <Choice
        label={t('filter.class')}
        value={search.response_class}
        options={STATUS_CLASSES.map((one) => [one, one])}
        onChange={(response_class) => onChange({ response_class })}
      />
      <TriggerChoice search={search} onChange={onChange} />
      <Choice
        label={t('filter.error')}
        value={search.error}
        options={ERROR_CODES.map((code) => [code, `${errorName(code, t)} (${code})`])}
        onChange={(error) => onChange({ error })}
      />
      <Choice
        label={t('filter.reason')}
        value={search.reason}
        options={REASONS.map((reason) => [reason, t(`filter.reason.${reason}`)])}
        onChange={(reason) => onChange({ reason })}
      />
      <Choice
        label={t('filter.attempts')}
        value={search.min_attempts}
        options={ATTEMPTS.map((attempts) => [attempts, t('filter.attempts.least', { attempts })])}
        onChange={(min_attempts) => onChange({ min_attempts })}
      />
    </div>
  );
}

function TriggerChoice({ search, onChange }: FilterPartProps) {
  const t = useText();
  const namesOf = (triggers: readonly Trigger[]): string => triggers.map((one) => t(`trigger.${one}`)).join(', ');
  const { trigger: chosen = [] } = filterOf(search);
  const offered = [
    ...TRIGGERS.map((one) => [one, namesOf([one])] as const),
    [COUNTED.trigger, t('filter.trigger.no-tests')] as const,
  ];
  const value = chosen.join(',');
  // Others can be written by hand.
  const isOffered = value === '' || offered.some(([one]) => one === value);
  return (
    <Choice
      label={t('filter.trigger')}
      value={value}
      options={isOffered ? offered : [...offered, [value, namesOf(chosen)]]}
      onChange={(trigger) => onChange({ trigger })}
    />
  );
}
