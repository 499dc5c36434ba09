import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it } from 'vitest';
import { RepeatReport } from '../repeats/repeat-report.js';
import { AttemptStage } from '../testing/attempt-stage.js';
import { aDelivery } from '../testing/factories.js';
import { FakeKnown, samplesOf } from '../testing/fakes.js';
import { AttemptUnlessFinal } from './attempt-unless-final.js';

function stage() {
  const around = new AttemptStage();
  const [known, metrics] = [new FakeKnown(), new Metrics('spec')];
  const repeats = (): Promise<string[]> => samplesOf(metrics, 'webhook_repeats_total');
  return {
    around,
    known,
    repeats,
    attempts: new AttemptUnlessFinal(around.attempts, known, new RepeatReport(metrics)),
  };
}

const { deliveryId } = aDelivery();
const FINAL = { delivery_id: deliveryId, generation: 0, is_final: true };

describe('a delivery that comes', () => {
  it('for the first time is attempted without a question', async () => {
    const { around, known, attempts } = stage();
    expect(await attempts.attempt(aDelivery(), false)).toBe('settled');
    expect(around.sendings).toHaveLength(1);
    expect(known.asked).toEqual([]);
  });

  it.each([
    ['redelivered', aDelivery(), true],
    ['for a retry', aDelivery({ position: { try: 1 } }), false],
    ['after a deferral', aDelivery({ position: { deferrals: 1 } }), false],
    ['published again', aDelivery({ republishedBy: 'rec_1' }), false],
    ['from an event that came before', aDelivery({ cameBefore: true }), false],
  ])('%s after its end is settled without a POST, and counted', async (_how, delivery, redelivered) => {
    const { around, known, repeats, attempts } = stage();
    known.knows = [FINAL];
    expect(await attempts.attempt(delivery, redelivered)).toBe('settled');
    expect(known.asked).toEqual([deliveryId]);
    expect(around.steps).toEqual([]);
    expect(await repeats()).toEqual(['webhook_repeats_total{stage="attempt"} 1']);
  });

  it.each([
    ['for a retry', aDelivery({ position: { try: 1 } }), false],
    ['after a deferral', aDelivery({ position: { deferrals: 1 } }), false],
    ['redelivered', aDelivery(), true],
  ])(
    '%s after its owner had the next generation begun is settled without a POST',
    async (_how, delivery, redelivered) => {
      const { around, known, repeats, attempts } = stage();
      known.knows = [{ ...FINAL, generation: 1, is_final: false }];
      expect(await attempts.attempt(delivery, redelivered)).toBe('settled');
      expect(around.steps).toEqual([]);
      expect(await repeats()).toEqual(['webhook_repeats_total{stage="attempt"} 1']);
    },
  );

  it('again after its next try was begun, which has a message of its own, is settled without a POST', async () => {
    const { around, known, attempts } = stage();
    known.knows = [{ ...FINAL, try: 1, deferrals: 0, is_final: false }];
    expect(await attempts.attempt(aDelivery({ cameBefore: true }), false)).toBe('settled');
    expect(around.steps).toEqual([]);
  });

  it.each([
    ['is not final', [{ ...FINAL, is_final: false }]],
    ['ended in an earlier generation', [{ ...FINAL, generation: 1 }]],
    ['is at this very try', [{ ...FINAL, generation: 2, try: 1, is_final: false }]],
    ['is not known', []],
  ])('again, but %s, is attempted', async (_what, knows) => {
    const { around, known, attempts } = stage();
    known.knows = knows;
    await attempts.attempt(aDelivery({ position: { generation: 2, try: 1 } }), true);
    expect(around.sendings).toHaveLength(1);
  });
});
