import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Scene } from './fault.js';
import { FLOOD_FAULTS } from './flood.js';

it('fails with what the flood was refused for, also if that comes while an event flies', async () => {
  const scene = {
    flood: { send: () => Promise.reject(new Error('not accepted in time')), missing: 1 },
    fly: async () => {
      await wait(20);
      return 20;
    },
    healing: () => undefined,
    note: () => undefined,
  };
  await expect(FLOOD_FAULTS[0]!.strike(scene as unknown as Scene)).rejects.toThrow('not accepted in time');
});
