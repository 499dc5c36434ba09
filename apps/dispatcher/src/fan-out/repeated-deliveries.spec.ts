import type { DeliveryId } from '@form-webhooks/domain';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it } from 'vitest';
import { RepeatReport } from '../repeats/repeat-report.js';
import { aDelivery, anArrival, anEvent } from '../testing/factories.js';
import { FakeKnown, samplesOf } from '../testing/fakes.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';

const FIRST = anArrival();
const MADE = aDelivery({ deliveryId: 'dlv_made' as DeliveryId });
const NEW = aDelivery({ deliveryId: 'dlv_new' as DeliveryId });

/** A log that knows of the one delivery as of one that was begun by whoever holds its event, and not of the other. */
function stage() {
  const [known, metrics] = [new FakeKnown(), new Metrics('spec')];
  known.knows = [{ delivery_id: MADE.deliveryId, generation: 0, try: 0, deferrals: 0, is_final: false }];
  const repeats = (): Promise<string[]> => samplesOf(metrics, 'webhook_repeats_total');
  return { known, repeats, repeated: new RepeatedDeliveries(known, new RepeatReport(metrics)) };
}

describe('the deliveries of an event', () => {
  it('are all made, without a question, if it can not have come before', async () => {
    const { known, repeats, repeated } = stage();
    expect(await repeated.without([MADE, NEW], anEvent(), FIRST)).toEqual([MADE, NEW]);
    expect(known.asked).toEqual([]);
    expect(await repeats()).toEqual([]);
  });

  it.each([
    ['whose caller may have sent it twice', anEvent({ key: 'k' }), FIRST],
    ['that waited: a copy of it may have come first', anEvent(), { ...FIRST, waits: 1 }],
  ])('of which another message is in hand are left to it, and counted: one %s', async (_what, event, arrival) => {
    const { repeats, repeated } = stage();
    expect(await repeated.without([MADE, NEW], event, arrival)).toEqual([NEW]);
    expect(await repeats()).toEqual(['webhook_repeats_total{stage="fan_out"} 1']);
  });

  it('that its dispatcher had begun are made by who gets the same message next', async () => {
    const { repeated } = stage();
    expect(await repeated.without([MADE, NEW], anEvent(), { ...FIRST, redelivered: true })).toEqual([MADE, NEW]);
  });
});
