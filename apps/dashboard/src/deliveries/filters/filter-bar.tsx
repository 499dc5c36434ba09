import { DELIVERY_STATES, EVENT_NAMES } from '@form-webhooks/domain/enumerations';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { endpointsQuery } from '../../api/queries.js';
import { useText } from '../../text/text.js';
import { Button } from '../../ui/button.js';
import { isFiltered, takenOf, type DeliverySearch } from '../delivery-filter.js';
import { Choice } from './choice.js';
import { DETAILS, FilterDetails } from './filter-details.js';
import type { ChangeFilter, FilterPartProps } from './filter-part.js';
import { IdSearch } from './id-search.js';

interface FilterBarProps {
  readonly formId: string;
  readonly search: DeliverySearch;
}

/** Which deliveries are shown. All of it stands in the address, with absolute times, so that it can be shared. */
export function FilterBar({ formId, search }: FilterBarProps) {
  const t = useText();
  const navigate = useNavigate();
  const change: ChangeFilter = (changed) =>
    void navigate({ to: '/forms/$formId/deliveries', params: { formId }, search: (kept) => ({ ...kept, ...changed }) });
  // Opened by any of it that is used, and not closed under who takes the last of it out.
  const taken = takenOf(search);
  const isUsed = DETAILS.some((field) => taken[field] !== undefined);
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <search className="filters">
      <Choices formId={formId} search={taken} onChange={change} />
      <IdSearch search={taken} onChange={change} />
      <details
        className="more-filters"
        open={isUsed || isOpen}
        onToggle={({ currentTarget: { open } }) => setOpen(open)}
      >
        <summary>{t('filter.more')}</summary>
        <FilterDetails search={taken} onChange={change} />
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

function Choices({ formId, search, onChange }: FilterPartProps & { readonly formId: string }) {
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
