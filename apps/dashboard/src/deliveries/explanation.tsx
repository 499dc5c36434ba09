import type { Delivery } from '../api/queries.js';
import { useText } from '../text/text.js';
import { Moment } from '../ui/moment.js';
import { Notice } from '../ui/notice.js';
import { meaningOf } from './explain.js';

const KINDS = { delivered: 'good', failed: 'bad', retrying: 'warning', pending: 'info', cancelled: 'info' } as const;

/** What the outcome means, and what to do. */
export function Explanation({ delivery }: { readonly delivery: Delivery }) {
  const t = useText();
  const { what, cause } = meaningOf(delivery);
  return (
    <Notice kind={KINDS[delivery.state]} title={t(what)}>
      {cause !== undefined && <p>{t(cause)}</p>}
      {delivery.next_attempt_at !== null && (
        <p>
          {t('explain.next')} <Moment at={delivery.next_attempt_at} as="full" /> (
          <Moment at={delivery.next_attempt_at} as="relative" isInside />)
        </p>
      )}
    </Notice>
  );
}
