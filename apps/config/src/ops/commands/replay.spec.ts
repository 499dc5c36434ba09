import { expect, it, vi } from 'vitest';
import { Installation } from '../installation.js';
import type { OpsCall } from '../ops-command.js';
import { REPLAY } from './replay.js';

const environment = { CONFIG_URL: 'http://127.0.0.1:9', ADMIN_API_KEY: 'the-admin-key-of-the-tests-0123456789' };

async function replayed(matched: number, yes: boolean): Promise<number> {
  const done = { id: 'rpl_1', state: 'done', matched, replayed: matched, skipped: 0, finished_at: 'now' };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(done));
  return REPLAY.run({
    args: ['f_1'],
    values: { state: 'failed', yes },
    installation: new Installation('the environment', environment),
    output: { result: () => undefined },
    signal: new AbortController().signal,
  } as unknown as OpsCall);
}

it('a replay of nothing ends as what found nothing, whether it only counts or sends', async () => {
  expect([await replayed(0, false), await replayed(0, true)]).toEqual([1, 1]);
  expect([await replayed(2, false), await replayed(2, true)]).toEqual([0, 0]);
});
