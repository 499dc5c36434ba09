import type { LiveTopic } from '@form-webhooks/http-api';
import { MAX_NOTICE_BYTES } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { readNotice, writeNotices } from './form-notice.js';

const topics = (...all: LiveTopic[]): ReadonlySet<LiveTopic> => new Set(all);

describe('a notice between replicas', () => {
  it('says what changed of which forms', () => {
    const changed = new Map([
      ['f_one', topics('deliveries')],
      ['f_two', topics('endpoints', 'replays')],
    ]);
    const notices = writeNotices(changed);
    expect(notices).toHaveLength(1);
    expect(readNotice(notices[0]!)).toEqual(changed);
  });

  it('is never longer than the database takes, however many forms changed', () => {
    const changed = new Map(
      Array.from({ length: 2_000 }, (_, n) => [
        `f_${'x'.repeat(50)}${n}`,
        topics('deliveries', 'endpoints', 'replays'),
      ]),
    );
    const notices = writeNotices(changed);
    expect(Math.max(...notices.map((text) => text.length))).toBeLessThanOrEqual(MAX_NOTICE_BYTES);
    const read = new Map(notices.flatMap((text) => [...(readNotice(text) as typeof changed)]));
    expect(read).toEqual(changed);
  });

  it('can say that it is not known what changed', () => {
    expect(writeNotices('everything').map(readNotice)).toEqual(['everything']);
    expect(writeNotices(new Map())).toEqual([]);
  });

  it('leaves out what a later release calls a topic', () => {
    expect(readNotice('f_one:deliveries+weather')).toEqual(new Map([['f_one', topics('deliveries')]]));
  });
});
