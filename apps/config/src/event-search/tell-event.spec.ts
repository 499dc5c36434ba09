import { describe, expect, it } from 'vitest';
import type { BrokerFindingsDto, DeliveryDto, FoundEventDto, FoundParkedDto } from '@form-webhooks/http-api';
import { tellEvent, tellSearch } from './tell-event.js';

const AT = '2026-11-29T10:00:00.000Z';
const LATER = '2026-11-29T10:05:00.000Z';

const event = (outcome: FoundEventDto['outcome'], deliveries: Partial<DeliveryDto>[] = []): FoundEventDto => ({
  ...{ event_id: 'evt_1', event: 'draft.resumed', form_id: 'f_1', submission_id: 's_1', accepted_at: AT, outcome },
  ...{ idempotency_key: null, summary: '' },
  deliveries: deliveries.map(
    (one) => ({ reason: null, next_attempt_at: null, waits_for: null, ...one }) as DeliveryDto,
  ),
});

const broker = (found: Partial<BrokerFindingsDto> = {}): BrokerFindingsDto => ({
  ...{ parked: [], parked_not_searched: 0, waiting: [] },
  ...found,
});

describe('what is told of an event', () => {
  it.each([
    ['waiting', 'could not be looked up yet'],
    ['waiting', 'refuse its answers'],
    ['waiting', 'look whether the form is registered here'],
    ['not_registered', 'was not registered'],
    ['no_endpoints', 'No endpoint was enabled for it'],
    ['fanned_out', 'still on their way to the log'],
  ] as const)('says of one without deliveries that is %s what it means', (outcome, words) => {
    expect(tellEvent(event(outcome))).toContain(`Accepted at ${AT}.`);
    expect(tellEvent(event(outcome))).toContain(words);
  });

  it('counts its deliveries by what became of them, and says what waits until when and for what', () => {
    const told = tellEvent(
      event('fanned_out', [
        { state: 'delivered' },
        { state: 'delivered' },
        { state: 'cancelled', reason: 'endpoint_disabled' },
        { state: 'retrying', next_attempt_at: LATER },
        { state: 'pending', next_attempt_at: LATER, waits_for: 'rate_limit' },
      ]),
    );
    expect(told).toBe(
      `Accepted at ${AT}. 5 deliveries: 2 delivered, 1 cancelled (endpoint_disabled), 1 waits until ${LATER}, ` +
        `1 waits until ${LATER} (rate_limit).`,
    );
  });
});

describe('what is told of a search', () => {
  const parked = (queue: string) => ({ queue, reason: 'bad_json: it ends too early' }) as FoundParkedDto;

  it('is what it found, in the log or put aside', () => {
    const found = { ...event('no_endpoints'), summary: 'It is there.' };
    expect(tellSearch([found], broker(), true, 30)).toBe('It is there.');
    expect(tellSearch([], broker({ parked: [parked('ingest.form-events.rejected')] }), true, 30)).toBe(
      'It was refused and put aside in ingest.form-events.rejected: bad_json: it ends too early.',
    );
    expect(tellSearch([], broker({ parked: [parked('dispatcher.events.parked')] }), true, 30)).toContain(
      'It is parked',
    );
  });

  it.each([
    [
      'that it may be among what waits',
      broker({ waiting: [{ queue: 'dispatcher.events', messages: 7 }] }),
      '7 messages',
    ],
    ['that it may be the one that waits', broker({ waiting: [{ queue: 'q', messages: 1 }] }), '1 message waits'],
    ['that it may be the one that nobody looked at', broker({ parked_not_searched: 1 }), '1 parked message was'],
    ['that it may be among what nobody looked at', broker({ parked_not_searched: 9 }), '9 parked messages'],
    ['that the broker could not be asked', null, 'The broker could not be asked'],
    ['what else it can mean', broker(), 'more than 30 days ago'],
  ])('says of what is not known %s', (_what, findings, words) => {
    const told = tellSearch([], findings, true, 30);
    expect(told).toMatch(/^Not known here\./);
    expect(told).toContain(words);
  });

  it("says nothing of the broker to a workspace's own key", () => {
    expect(tellSearch([], null, false, 30)).not.toContain('broker');
  });
});
