import { describe, expect, it } from 'vitest';
import { originOf } from './origin.js';

describe('who sent a message, and when', () => {
  it('is what its publisher said: the user before the application, the seconds as a moment', () => {
    const told = { timestamp: 1_790_000_000, userId: 'form-service', appId: 'forms' };
    expect(originOf(told)).toEqual({ sentAt: 1_790_000_000_000, sentBy: 'form-service' });
    expect(originOf({ appId: 'forms' })).toEqual({ sentBy: 'forms' });
  });

  it('is not known where nothing, or nothing sensible, was said', () => {
    expect(originOf({})).toEqual({});
    expect(originOf({ timestamp: 1e18, userId: '', appId: 7 })).toEqual({});
    expect(originOf({ appId: 'x'.repeat(500) }).sentBy).toHaveLength(128);
  });
});
