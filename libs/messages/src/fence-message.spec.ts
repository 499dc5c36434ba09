import { describe, expect, it } from 'vitest';
import { fenceHeaders, isFence, readFenceMessage } from './fence-message.js';
import { UnreadableMessage } from './unreadable-message.js';

const fence = { fenceId: 'rec_abc-due', queue: 'dispatcher.due', sentAt: 1_795_810_757_123 };

describe('fences', () => {
  it('come back as they went', () => {
    expect(isFence(fenceHeaders(fence))).toBe(true);
    expect(readFenceMessage(fenceHeaders(fence))).toEqual(fence);
  });

  it('are told from deliveries', () => {
    expect(isFence({ schema_version: 1, delivery_id: 'dlv_1' })).toBe(false);
  });

  it.each([{ fence_id: 7 }, { fence_id: 'x' }, { fence_queue: 'No Queue' }, { sent_at: 'now' }, { schema_version: 2 }])(
    'are unreadable with %j',
    (wrong) => {
      expect(() => readFenceMessage({ ...fenceHeaders(fence), ...wrong })).toThrow(UnreadableMessage);
    },
  );
});
