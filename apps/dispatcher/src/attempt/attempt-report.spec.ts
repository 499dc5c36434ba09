import { FAILED_REASONS, readTraceParent } from '@form-webhooks/domain';
import { Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { aDelivery, anAnswer, anEndpoint, aTimeout } from '../testing/factories.js';
import { readableLogger, samplesOf } from '../testing/fakes.js';
import { AttemptReport } from './attempt-report.js';

const IDS = { delivery_id: 'dlv_1', endpoint_id: 'we_1', event_id: 'evt_1', form_id: 'f_1' };
const endpoint = anEndpoint();

function stage() {
  const metrics = new Metrics('spec');
  const { logger, lines } = readableLogger();
  return { metrics, lines, report: new AttemptReport(metrics, logger) };
}

/** Samples that are not 0, which all causes are from the start. */
const countedOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await samplesOf(metrics, name)).filter((sample) => !sample.endsWith(' 0'));

describe('the report of an attempt', () => {
  it('is one line with all that is known, and no payload, URL or header', () => {
    const { report, lines } = stage();
    const delivery = aDelivery({ position: { try: 2, generation: 1 }, trigger: 'replay' });
    const sent = anAnswer(503, { durationMs: 37, resent: true });
    report.reportAttempt(delivery, { endpoint, sent, next: { kind: 'retry', delayMs: 10_000 } });
    expect(lines).toEqual([
      {
        ...{ level: 30, msg: 'delivery.attempted', ...IDS },
        ...{ try: 2, generation: 1, trigger: 'replay', status: 503, error: null, durationMs: 37, resent: true },
        ...{ next: 'retry', delayMs: 10_000 },
        ...{ event: delivery.event, submission_id: delivery.submissionId, bytes: delivery.tail.length },
        lateMs: sent.startedAt - delivery.dueAt,
      },
    ]);
  });

  it('names the trace that it belongs to', () => {
    const { report, lines } = stage();
    const trace = readTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')!;
    report.reportAttempt(aDelivery({ trace }), { endpoint, sent: anAnswer(200), next: { kind: 'delivered' } });
    expect(lines).toMatchObject([{ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' }]);
  });

  it('says why there will be no other, and what kept an answer away', () => {
    const { report, lines } = stage();
    report.reportAttempt(aDelivery(), { endpoint, sent: aTimeout(), next: { kind: 'failed', reason: 'exhausted' } });
    expect(lines).toMatchObject([{ next: 'failed', reason: 'exhausted', status: null, error: 'timeout' }]);
    expect(lines[0]).not.toHaveProperty('delayMs');
  });

  it('counts what failed for good by its reason, and shows each reason before it first happens', async () => {
    const { report, metrics } = stage();
    const failed = { kind: 'failed', reason: 'exhausted' } as const;
    expect(await samplesOf(metrics, 'webhook_deliveries_failed_total')).toHaveLength(FAILED_REASONS.length);
    report.reportAttempt(aDelivery(), { endpoint, sent: aTimeout(), next: failed });
    expect(await countedOf(metrics, 'webhook_deliveries_failed_total')).toEqual([
      'webhook_deliveries_failed_total{reason="exhausted"} 1',
    ]);
  });

  it('counts it by what followed and why, with how long it took and how late it was', async () => {
    const { report, metrics } = stage();
    const sent = anAnswer(200, { durationMs: 2_000 });
    const late = aDelivery({ dueAt: sent.startedAt - 3_000 });
    const early = aDelivery({ dueAt: sent.startedAt + 3_000 });
    report.reportAttempt(late, { endpoint, sent, next: { kind: 'delivered' } });
    report.reportAttempt(early, { endpoint, sent: aTimeout(), next: { kind: 'retry', delayMs: 1 } });
    expect(await samplesOf(metrics, 'webhook_attempts_total')).toEqual([
      'webhook_attempts_total{next="delivered",error="none"} 1',
      'webhook_attempts_total{next="retry",error="timeout"} 1',
    ]);
    expect(await samplesOf(metrics, 'webhook_attempt_seconds_sum')).toEqual(['webhook_attempt_seconds_sum{} 2.02']);
    expect(await samplesOf(metrics, 'webhook_attempt_late_seconds_sum')).toEqual([
      'webhook_attempt_late_seconds_sum{} 3',
    ]);
  });
});

describe('the report of a deferral', () => {
  it('says in plain words that the database of config does not know whose it is', () => {
    const { report, lines } = stage();
    for (let n = 0; n < 3; n++) report.reportDeferral(aDelivery(), 'not_registered');
    const errors = lines.filter(({ level }) => level === 50);
    expect(errors).toEqual([{ level: 50, msg: expect.stringContaining('restored from a backup') as string, ...IDS }]);
  });

  it('says in plain words, once a minute, that a secret does not open', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { report, metrics, lines } = stage();
    const errors = (): unknown[] => lines.filter(({ level }) => level === 50);
    for (let n = 0; n < 3; n++) report.reportDeferral(aDelivery(), 'secret_unreadable');
    expect(errors()).toEqual([{ level: 50, msg: expect.stringContaining('SECRET_KEYS') as string, ...IDS }]);
    vi.advanceTimersByTime(60_000);
    report.reportDeferral(aDelivery(), 'secret_unreadable');
    expect(errors()).toHaveLength(2);
    expect(await countedOf(metrics, 'webhook_deferrals_total')).toEqual([
      'webhook_deferrals_total{why="secret_unreadable"} 4',
    ]);
    vi.useRealTimers();
  });

  it('counts it by its cause and says how often it was put off by now', async () => {
    const { report, metrics, lines } = stage();
    report.reportDeferral(aDelivery({ position: { deferrals: 2 } }), 'no_slot');
    expect(lines).toEqual([{ level: 20, msg: 'delivery.deferred', ...IDS, why: 'no_slot', deferrals: 3 }]);
    expect(await countedOf(metrics, 'webhook_deferrals_total')).toEqual(['webhook_deferrals_total{why="no_slot"} 1']);
  });
});

describe('the report of an expiry', () => {
  it('counts it among what failed for good', async () => {
    const { report, metrics, lines } = stage();
    report.reportExpiry(aDelivery());
    expect(lines).toEqual([{ level: 40, msg: 'delivery.expired', ...IDS, reason: 'expired' }]);
    expect(await countedOf(metrics, 'webhook_deliveries_failed_total')).toEqual([
      'webhook_deliveries_failed_total{reason="expired"} 1',
    ]);
  });
});

describe('the report of a cancellation', () => {
  it('counts it by its reason', async () => {
    const { report, metrics, lines } = stage();
    report.reportCancellation(aDelivery(), 'endpoint_deleted');
    expect(lines).toEqual([{ level: 30, msg: 'delivery.cancelled', ...IDS, reason: 'endpoint_deleted' }]);
    expect(await samplesOf(metrics, 'webhook_cancellations_total')).toEqual([
      'webhook_cancellations_total{reason="endpoint_deleted"} 1',
    ]);
  });
});
