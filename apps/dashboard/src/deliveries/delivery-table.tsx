import { Link } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Fragment, useCallback, useEffect, useState, type FocusEvent, type RefObject } from 'react';
import type { Delivery, Endpoint } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Moment } from '../ui/moment.js';
import { StateMark } from '../ui/state-mark.js';
import { attemptsAllowed, errorName } from './explain.js';

const ROW_PX = 45;
/** How many rows before the end the next page is asked for. */
const AHEAD = 15;

interface DeliveryTableProps {
  readonly rows: readonly Delivery[];
  readonly endpointOf: (endpointId: string) => Endpoint | undefined;
  readonly hasMore: boolean;
  /** Undefined while no further page may be asked for. */
  readonly onNearEnd: (() => void) | undefined;
  readonly scroll: RefObject<HTMLDivElement | null>;
}

/** The log as a real table, of which only the rows in sight stand in the page. */
export function DeliveryTable({ rows, endpointOf, hasMore, onNearEnd, scroll }: DeliveryTableProps) {
  const t = useText();
  const { rangeExtractor, ...focusEvents } = useKeptFocus();
  // The same as long as the rows are: for another one each step of scrolling would measure all rows anew.
  const getItemKey = useCallback((index: number) => rows[index]!.delivery_id, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    rangeExtractor,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  // As high as all rows from the first moment on, or there would be nothing yet to scroll back to.
  const after = virtual.getTotalSize() - (last?.end ?? 0);
  const isNearEnd = (last?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      {...focusEvents}
      className="log-scroll"
      ref={scroll}
      tabIndex={0}
      role="region"
      aria-label={t('deliveries.rows')}
      data-scroll-restoration-id="log"
    >
      <table className="log" aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <caption className="unseen">{t('deliveries.title')}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('delivery.accepted')}</th>
            <th scope="col">{t('delivery.state')}</th>
            <th scope="col">{t('delivery.event')}</th>
            <th scope="col">{t('delivery.endpoint')}</th>
            <th scope="col">{t('delivery.answer')}</th>
            <th scope="col" className="number">
              {t('delivery.attempts')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ index, key, start }, place) => (
            <Fragment key={key}>
              <Space height={start - (items[place - 1]?.end ?? 0)} />
              <Row
                index={index}
                delivery={rows[index]!}
                endpoint={endpointOf(rows[index]!.endpoint_id)}
                measure={virtual.measureElement}
              />
            </Fragment>
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** The row that has the focus stays in the page, however far it is scrolled away: keys would else act on nothing. */
function useKeptFocus() {
  const [focused, setFocused] = useState<number>();
  const rangeExtractor = useCallback(
    (range: Range): number[] => {
      const shown = defaultRangeExtractor(range);
      if (focused === undefined || focused >= range.count || shown.includes(focused)) return shown;
      return [...shown, focused].sort((a, b) => a - b);
    },
    [focused],
  );
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    const index = target.closest('tr')?.dataset['index'];
    setFocused(index === undefined ? undefined : Number(index));
  };
  return { rangeExtractor, onFocus, onBlur: () => setFocused(undefined) };
}

/** Stands for rows that are out of sight. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 && (
    <tr aria-hidden="true" className="space">
      <td colSpan={6} style={{ height }} />
    </tr>
  );

interface RowProps {
  readonly index: number;
  readonly delivery: Delivery;
  readonly endpoint: Endpoint | undefined;
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

function Row({ index, delivery, endpoint, measure }: RowProps) {
  const t = useText();
  const params = { formId: delivery.form_id, deliveryId: delivery.delivery_id };
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <Link
          to="/forms/$formId/deliveries/$deliveryId"
          params={params}
          search
          className="row-link"
          data-delivery={delivery.delivery_id}
        >
          <Moment at={delivery.accepted_at} isInside />
          <span className="unseen">, {t('deliveries.of', { submission: delivery.submission_id })}</span>
        </Link>
      </th>
      <td>
        <StateMark
          state={delivery.state}
          attempts={delivery.attempt_count}
          allowed={attemptsAllowed(delivery, endpoint)}
        />
        {delivery.next_attempt_at !== null && delivery.state === 'retrying' && (
          <span className="hint next">
            {t('delivery.next')} <Moment at={delivery.next_attempt_at} isInside />
          </span>
        )}
      </td>
      <td>
        {t(`event.${delivery.event}`)}
        {delivery.trigger !== 'event' && <span className="tag">{t(`trigger.${delivery.trigger}`)}</span>}
      </td>
      <td className="url" title={endpoint?.url}>
        {endpoint?.url ?? delivery.endpoint_id}
      </td>
      <td className="answer" title={delivery.last_error ?? undefined}>
        {delivery.last_response_status ?? (delivery.last_error === null ? '–' : errorName(delivery.last_error, t))}
      </td>
      <td className="number">{delivery.attempt_count}</td>
    </tr>
  );
}
