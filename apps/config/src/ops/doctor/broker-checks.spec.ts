import type { Broker } from '@form-webhooks/broker';
import { describe, expect, it } from 'vitest';
import { judgeSilent, lookAtQueues } from './broker-checks.js';

/** Whose queues hold a message each, but for one that owes its answer and one that is not there. */
const broker = {
  consuming: {
    openChannel: () =>
      Promise.resolve({
        checkQueue: (queue: string) => {
          if (queue === 'silent') return new Promise(() => undefined);
          if (queue === 'missing') return Promise.reject(Object.assign(new Error('no queue'), { code: 404 }));
          return Promise.resolve({ messageCount: 1, consumerCount: 2 });
        },
        close: () => Promise.resolve(),
      }),
  },
} as unknown as Broker;

describe('queues', () => {
  it('are told of beside one that gives no answer, as without a leader', async () => {
    const { standings, silent } = await lookAtQueues(broker, ['silent', 'missing', 'work'], 20);
    expect([...standings]).toEqual([
      ['missing', undefined],
      ['work', { messages: 1, consumers: 2 }],
    ]);
    expect(silent).toEqual(['silent']);
  });

  it('that give no answer are wrong, and name where to look', () => {
    expect(judgeSilent([])).toEqual([]);
    expect(judgeSilent(['config.rpc', 'work'])).toMatchObject([
      {
        verdict: 'wrong',
        what: expect.stringContaining('2 queues give no answer, the first of them config.rpc') as unknown,
      },
    ]);
  });
});
