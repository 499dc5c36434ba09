import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type RefObject } from 'react';
import type { Delivery } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Moment } from '../ui/moment.js';
import { StateMark } from '../ui/state-mark.js';

const ROW_PX = 45;
/** How many rows before the end the next page is asked for. */
const AHEAD = 15;

interface DeliveryTableProps {
  readonly rows: readonly Delivery[];
  readonly urlOf: (endpointId: string) => string | undefined;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
  readonly scroll: RefObject<HTMLDivElement | null>;
}

/** The log as a real table, of which only the rows in sight stand in the page. */
export function DeliveryTable({ rows, urlOf, hasMore, onNearEnd, scroll }: DeliveryTableProps) {
  const t = useText();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]!.delivery_id,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const [before, last] = [items[0]?.start ?? 0, items.at(-1)];
  const after = last === undefined ? 0 : virtual.getTotalSize() - last.end;
  const isNearEnd = hasMore && (last?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
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
            <th scope="col">{t('delivery.attempts')}</th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} />}
          {items.map(({ index, key }) => (
            <Row
              key={key}
              index={index}
              delivery={rows[index]!}
              url={urlOf(rows[index]!.endpoint_id)}
              measure={virtual.measureElement}
            />
          ))}
          {after > 0 && <Space height={after} />}
        </tbody>
      </table>
    </div>
  );
}

const Space = ({ height }: { readonly height: number }) => (
  <tr aria-hidden="true" className="space">
    <td colSpan={6} style={{ height }} />
  </tr>
);

interface RowProps {
  readonly index: number;
  readonly delivery: Delivery;
  readonly url: string | undefined;
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

function Row({ index, delivery, url, measure }: RowProps) {
  const t = useText();
  const params = { formId: delivery.form_id, deliveryId: delivery.delivery_id };
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        <Link to="/forms/$formId/deliveries/$deliveryId" params={params} search className="row-link">
          <Moment at={delivery.accepted_at} />
          <span className="unseen">, {t('deliveries.of', { submission: delivery.submission_id })}</span>
        </Link>
      </th>
      <td>
        <StateMark state={delivery.state} attempts={delivery.attempt_count} />
      </td>
      <td>
        {t(`event.${delivery.event}`)}
        {delivery.trigger !== 'event' && <span className="tag">{t(`trigger.${delivery.trigger}`)}</span>}
      </td>
      <td className="url">{url ?? delivery.endpoint_id}</td>
      <td>{delivery.last_response_status ?? delivery.last_error ?? '–'}</td>
      <td className="number">{delivery.attempt_count}</td>
    </tr>
  );
}
