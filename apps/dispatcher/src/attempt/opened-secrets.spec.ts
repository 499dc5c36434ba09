import { afterEach, describe, expect, it, vi } from 'vitest';
import { OPENED_SECRET_MS, OpenedSecrets } from './opened-secrets.js';

afterEach(() => vi.useRealTimers());

describe('opened secrets', () => {
  it('are gone after a minute, however often they are used, and opened again then', () => {
    vi.useFakeTimers();
    // The cache takes a moment of 0 for none.
    vi.advanceTimersByTime(1);
    const secrets = new OpenedSecrets();
    const sealed = { id: 's', sealed: 'sealed', expires_at: null };
    const open = vi.fn(() => 'whsec_opened');
    for (let n = 0; n < 10; n++) {
      expect(secrets.textOf(sealed, open)).toBe('whsec_opened');
      vi.advanceTimersByTime(OPENED_SECRET_MS / 11);
    }
    expect(open).toHaveBeenCalledTimes(1);
    expect(secrets.size).toBe(1);
    vi.advanceTimersByTime(OPENED_SECRET_MS);
    expect(secrets.size).toBe(0);
    secrets.textOf(sealed, open);
    expect(open).toHaveBeenCalledTimes(2);
  });
});
