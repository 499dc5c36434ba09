import type { EndpointId, EventId, FormId, SubmissionId } from '@form-webhooks/domain';
import { expect, it } from 'vitest';
import type { Transaction } from '../database/data-source.js';
import { lockEvent, startDeliveries } from './send-event.js';

const EVENT = {
  event: 'submission.created',
  eventId: 'evt_0123456789abcdefghijkl' as EventId,
  formId: 'f_a' as FormId,
  submissionId: 's_a' as SubmissionId,
  acceptedAt: Date.parse('2026-11-29T12:00:00Z'),
} as const;

/** The log with that event in it; remembers what it was asked. */
function logOf(hasPayload: boolean) {
  const asked: string[] = [];
  const query = async (sql: string, [rows]: readonly string[] = []) => {
    asked.push(sql);
    if (sql.includes('FROM events')) return [{ ...EVENT, hasPayload }];
    if (!sql.includes('INSERT INTO deliveries')) return [];
    return (JSON.parse(rows!) as { delivery_id: string }[]).map((row) => ({ key: `${row.delivery_id} 2026-11-29` }));
  };
  return { tx: { query } as unknown as Transaction, asked };
}

it('an event is locked and sent without its payload, which goes from one table to the other', async () => {
  const { tx, asked } = logOf(true);
  const event = await lockEvent(tx, EVENT.formId, EVENT.eventId);
  expect(event).toEqual(EVENT);
  expect(asked.join('\n')).not.toMatch(/\btail(?! IS NOT NULL)/);
  const endpoints = ['we_0123456789abcdefghijkl', 'we_abcdefghijkl0123456789'] as EndpointId[];
  const { deliveries, rows } = await startDeliveries(tx, EVENT, endpoints, EVENT.acceptedAt + 1);
  expect(rows).toHaveLength(2);
  expect(deliveries).toMatchObject(
    endpoints.map((endpoint_id) => ({
      eventId: EVENT.eventId,
      days: ['2026-11-28', '2026-11-29', '2026-11-30'],
      headers: { endpoint_id, form_id: EVENT.formId, generation: 0 },
    })),
  );
});

it('an event whose payload was erased is refused', async () => {
  expect(await lockEvent(logOf(false).tx, EVENT.formId, EVENT.eventId)).toBe('payload_erased');
});
