import { expect, it, vi } from 'vitest';
import { ParkedCopies } from './parked-copies.js';
import type { ParkedReview } from './parked-review.js';

const AWAY = new Error('the broker is away');

it('a look that can wait is left out while the broker is away; an erasure is told that it is', async () => {
  const review = { reachable: false, run: vi.fn(() => Promise.reject(AWAY)) };
  const copies = new ParkedCopies(review as unknown as ParkedReview);
  await expect(copies.purgeIfChanged()).resolves.toBeUndefined();
  await expect(copies.purge()).rejects.toThrow(AWAY.message);

  review.reachable = true;
  await expect(copies.purgeIfChanged()).rejects.toThrow(AWAY.message);
});
