import type { Reconciliation, ReconciliationPhase } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { lostIfDueBefore, nextReconcileStep, type ReconcileSituation } from './reconciliation-step.js';

const policy = { graceMs: 300_000, settleMs: 60_000 };
const NOW = 10_000_000;

const aRow = (phase: ReconciliationPhase, given: Partial<Reconciliation> = {}): Reconciliation => ({
  id: 'rec_1',
  phase,
  beganAt: new Date(NOW - 100_000),
  phaseAt: new Date(NOW - 100_000),
  fenceSentAt: null,
  echoed: false,
  lost: 0,
  republished: 0,
  ...given,
});

const situation = (given: Partial<ReconcileSituation> = {}): ReconcileSituation => ({
  now: NOW,
  brokerUpForMs: NOW,
  outboxAgeMs: 0,
  ...given,
});

const sent = (ago: number) => ({ fenceSentAt: new Date(NOW - ago) });
const since = (ago: number) => ({ phaseAt: new Date(NOW - ago) });

describe('the next step of a reconciliation', () => {
  it.each([
    ['sends the first fence', aRow('due'), { do: 'send_fence' }],
    ['waits for it', aRow('due', sent(299_999)), { do: 'wait' }],
    ['sends it again when it may be lost', aRow('due', sent(300_000)), { do: 'send_fence' }],
    ['goes on when it has come out', aRow('due', { ...sent(1), echoed: true }), { do: 'enter', phase: 'deliveries' }],
    ['sends the second fence', aRow('deliveries'), { do: 'send_fence' }],
    ['then lets attempts end', aRow('deliveries', { echoed: true }), { do: 'enter', phase: 'settle' }],
    ['waits for them', aRow('settle', since(59_999)), { do: 'wait' }],
    ['then fences the log', aRow('settle', since(60_000)), { do: 'enter', phase: 'log' }],
    ['sends that fence', aRow('log'), { do: 'send_fence' }],
    ['then lets batches be written', aRow('log', { echoed: true }), { do: 'enter', phase: 'rest' }],
    ['waits for them too', aRow('rest', since(59_999)), { do: 'wait' }],
    ['then lists what is lost', aRow('rest', since(60_000)), { do: 'list' }],
    ['until all is published', aRow('publish'), { do: 'publish' }],
  ] as const)('%s', (_, row, step) => {
    expect(nextReconcileStep(row, situation(), policy)).toEqual(step);
  });

  it.each(['due', 'deliveries', 'settle', 'log', 'rest', 'publish'] as const)(
    'is to wait in phase %s while the broker is away or was until lately',
    (phase) => {
      const row = aRow(phase, { echoed: true });
      expect(nextReconcileStep(row, situation({ brokerUpForMs: null }), policy)).toEqual({ do: 'wait' });
      expect(nextReconcileStep(row, situation({ brokerUpForMs: 299_999 }), policy)).toEqual({ do: 'wait' });
    },
  );

  it('is to begin anew once the broker has stood for the grace again', () => {
    const row = aRow('rest', { beganAt: new Date(NOW - 400_000), ...since(90_000) });
    expect(nextReconcileStep(row, situation({ brokerUpForMs: 310_000 }), policy)).toEqual({ do: 'restart' });
  });

  it.each(['due', 'deliveries', 'settle', 'log', 'rest', 'publish'] as const)(
    'is to begin anew in phase %s what lies in the future, since the clock was set back',
    (phase) => {
      const begin = { beganAt: new Date(NOW - 100_000), ...since(100_000), ...sent(100_000) };
      for (const ahead of ['beganAt', 'phaseAt', 'fenceSentAt'] as const) {
        const row = aRow(phase, { ...begin, [ahead]: new Date(NOW + 1) });
        expect(nextReconcileStep(row, situation(), policy)).toEqual({ do: 'restart' });
      }
    },
  );

  it('judges nothing while messages wait in the outbox', () => {
    const row = aRow('rest', since(90_000));
    expect(nextReconcileStep(row, situation({ outboxAgeMs: 60_000 }), policy)).toEqual({ do: 'wait' });
  });
});

describe('what counts as lost', () => {
  it.each([
    ['began before now', NOW - 100_000, NOW - 400_000],
    ['begins in the future', NOW + 3_600_000, NOW - 300_000],
  ])('was due the grace before a reconciliation that %s', (_, beganAt, before) => {
    const row = aRow('publish', { beganAt: new Date(beganAt) });
    expect(lostIfDueBefore(row, new Date(NOW), policy)).toEqual(new Date(before));
  });
});
