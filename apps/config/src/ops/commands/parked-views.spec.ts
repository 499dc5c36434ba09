import type { ParkedMessage } from '@form-webhooks/broker';
import { describe, expect, it } from 'vitest';
import { documentOf, lineOf, nameOf, reach, reachLines } from './parked-views.js';

const message: ParkedMessage = {
  ...{ queue: 'dispatcher.events.parked', reason: 'a bug', bytes: 12, headers: { event_id: 'evt_1' } },
  ...{ messageId: 'key-1', parkedAt: 1_790_000_000_000, sentAt: null, sentBy: 'shop' },
};

describe('a parked message', () => {
  it("is told programs with the API's spelling", () => {
    expect(documentOf(message)).toEqual({
      ...{ queue: 'dispatcher.events.parked', reason: 'a bug', bytes: 12, headers: { event_id: 'evt_1' } },
      ...{ message_id: 'key-1', parked_at: '2026-09-21T14:13:20.000Z', sent_at: null, sent_by: 'shop' },
    });
  });

  it('is named by its ids while it is settled, and by its reason if it has none', () => {
    expect(nameOf(message)).toBe('message_id key-1  event_id evt_1');
    expect(nameOf({ ...message, messageId: null, headers: {} })).toBe('a bug');
  });

  it('is told people in one line', () => {
    expect(lineOf(message)).toBe(
      'dispatcher.events.parked: a bug  message_id key-1  event_id evt_1  sent - by shop  ' +
        'parked 2026-09-21T14:13:20.000Z  12 bytes',
    );
  });
});

it('a search that ended before the queue did says so: what it did not find can be further back', () => {
  const queue = 'dispatcher.events.parked';
  expect([reach(9, 10), reachLines(queue, 9, 10)]).toEqual([{ search_cut: false }, []]);
  expect(reach(10, 10)).toEqual({ search_cut: true });
  expect(reachLines(queue, 10, 10)).toEqual([`only the first 10 messages of ${queue} were looked at`]);
});
