import {
  DELIVERY_STATES,
  ERROR_CODES,
  EVENT_NAMES,
  REASONS,
  STATUS_CLASSES,
  TRIGGERS,
  type Trigger,
} from '@form-webhooks/domain/enumerations';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { StatusField } from '../ui/filters/status-field.js';
import { TimeRangeFields } from '../ui/filters/time-range-fields.js';
import { useTypedText } from '../ui/filters/typed-text.js';
import { COUNTED, filterOf, isFiltered, type DeliverySearch } from './delivery-filter.js';
import { errorName } from './explain.js';

interface FilterBarProps {
  readonly formId: string;
  readonly search: DeliverySearch;
}

type Change = (changed: DeliverySearch) => void;

/** What stands behind "more", opened by any of it that is used, and not closed under who takes the last of it out. */
const DETAILS = [
  'from',
  'to',
  'response_status',
  'response_class',
  'error',
  'reason',
  'min_attempts',
  'trigger',
] as const;

/** The numbers of attempts that are offered; the address takes others too. */
const ATTEMPTS = ['2', '3', '5', '10'];

const HOURS = [1, 24, 7 * 24] as const;
const HOUR_MS = 3_600_000;

/** Which deliveries are shown. All of it stands in the address, with absolute times, so that it can be shared. */
export function FilterBar({ formId, search }: FilterBarProps) {
  const t = useText();
  const navigate = useNavigate();
  const change: Change = (changed) =>
    void navigate({ to: '/forms/$formId/deliveries', params: { formId }, search: (kept) => ({ ...kept, ...changed }) });
  const isUsed = DETAILS.some((field) => (search[field] ?? '') !== '');
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <search className="filters">
      <Choices formId={formId} search={search} onChange={change} />
      <IdSearch search={search} onChange={change} />
      <details
        className="more-filters"
        open={isUsed || isOpen}
        onToggle={({ currentTarget: { open } }) => setOpen(open)}
      >
        <summary>{t('filter.more')}</summary>
        <Details search={search} onChange={change} />
      </details>
      {isFiltered(search) && (
        <Button
          look="quiet"
          icon="cross"
          onClick={() => void navigate({ to: '/forms/$formId/deliveries', params: { formId }, search: {} })}
        >
          {t('filter.clear')}
        </Button>
      )}
    </search>
  );
}

interface PartProps {
  readonly search: DeliverySearch;
  readonly onChange: Change;
}

function Choices({ formId, search, onChange }: PartProps & { readonly formId: string }) {
  const t = useText();
  const endpoints = useQuery(endpointsQuery(formId)).data ?? [];
  return (
    <>
      <Choice
        label={t('delivery.state')}
        value={search.state}
        options={DELIVERY_STATES.map((state) => [state, t(`state.${state}`)])}
        onChange={(state) => onChange({ state })}
      />
      <Choice
        label={t('delivery.endpoint')}
        value={search.endpoint_id}
        options={endpoints.map(({ id, url }) => [id, url])}
        onChange={(endpoint_id) => onChange({ endpoint_id })}
      />
      <Choice
        label={t('delivery.event')}
        value={search.event}
        options={EVENT_NAMES.map((event) => [event, t(`event.${event}`)])}
        onChange={(event) => onChange({ event })}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value = '', options, onChange }: ChoiceProps) {
  const t = useText();
  // Of an endpoint that was deleted, or written by hand.
  const isUnknown = value !== '' && !options.some(([one]) => one === value);
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('filter.all')}</option>
          {isUnknown && <option value={value}>{value}</option>}
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function IdSearch({ search, onChange }: PartProps) {
  const t = useText();
  const [typed, setTyped] = useTypedText(search.text ?? '');
  const isWrong = !/^[\w-]{0,64}$/.test(typed.trim());
  return (
    <form
      className="id-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onChange({ text: typed.trim() });
      }}
    >
      <Field label={t('filter.id')} error={isWrong ? t('filter.id.wrong') : undefined}>
        {(control) => (
          <input
            {...control}
            type="search"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">{t('filter.id.do')}</Button>
    </form>
  );
}

function Details({ search, onChange }: PartProps) {
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

function TriggerChoice({ search, onChange }: PartProps) {
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
