import type { Judge, ParkedMessages, ReviewedMessage } from '@form-webhooks/broker';
import type { DataSource, OverdueDelivery } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { LostDeliveries } from './lost-deliveries.js';
import { ParkedReview } from '../parked/parked-review.js';

const PARKED = 'dispatcher.deliveries.parked';
const overdue: OverdueDelivery[] = ['dlv_a', 'dlv_b'].map((deliveryId) => ({
  deliveryId,
  eventId: 'evt_a',
  day: '2026-01-01',
}));

function setup(found: readonly OverdueDelivery[], parked: { messages: number; headers: ReviewedMessage['headers'] }) {
  const runner = { connect: vi.fn(), release: vi.fn(), query: vi.fn().mockResolvedValue([]) };
  const manager = { query: vi.fn().mockResolvedValueOnce([]).mockResolvedValue(found) };
  const dataSource = { manager, createQueryRunner: () => runner } as unknown as DataSource;
  const messages = {
    count: vi.fn().mockResolvedValue([{ queue: PARKED, work: 'dispatcher.deliveries', messages: parked.messages }]),
    review: vi.fn(async (_queue: string, _limit: number, judge: Judge) => {
      expect(await judge([{ headers: parked.headers, body: Buffer.alloc(0) }])).toEqual(['keep']);
      return 0;
    }),
  };
  const review = new ParkedReview(messages as unknown as ParkedMessages, dataSource);
  const logger = { warn: vi.fn() };
  return { lost: new LostDeliveries(dataSource, review, logger as unknown as Logger), messages, logger };
}

describe('what the broker lost', () => {
  it('is what is overdue and not parked', async () => {
    const { lost } = setup(overdue, { messages: 1, headers: { delivery_id: 'dlv_a' } });
    expect(await lost.findNext('rec_1', new Date())).toEqual([overdue[1]]);
  });

  it('is not looked for in parked queues if nothing is overdue', async () => {
    const { lost, messages } = setup([], { messages: 1, headers: {} });
    expect(await lost.findNext('rec_1', new Date())).toEqual([]);
    expect(messages.count).not.toHaveBeenCalled();
  });

  it('stays unknown, and is told of, while more is parked than can be looked through', async () => {
    const { lost, messages, logger } = setup(overdue, { messages: 100_001, headers: {} });
    expect(await lost.findNext('rec_1', new Date())).toEqual([]);
    expect(messages.review).not.toHaveBeenCalled();
    expect(logger.warn).toHaveBeenCalledWith(
      expect.objectContaining({ overdue: 2 }),
      'nothing lost is published again: too much is parked',
    );
  });
});
