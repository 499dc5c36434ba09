import type { Broker } from '@form-webhooks/broker';
import { describe, expect, it } from 'vitest';
import { judgeSilent, judgeUnseen, lookAtQueues } from './broker-checks.js';

/** Whose queues hold a message each, but for one that owes its answer, one that may not be looked at and one that is not there. */
const broker = {
  consuming: {
    openChannel: () =>
      Promise.resolve({
        checkQueue: (queue: string) => {
          if (queue === 'silent') return new Promise(() => undefined);
          if (queue === 'forbidden') return Promise.reject(Object.assign(new Error('refused'), { code: 403 }));
          if (queue === 'missing') return Promise.reject(Object.assign(new Error('no queue'), { code: 404 }));
          return Promise.resolve({ messageCount: 1, consumerCount: 2 });
        },
        close: () => Promise.resolve(),
      }),
  },
} as unknown as Broker;

describe('queues', () => {
  it('are told of beside one that gives no answer, as without a leader, and one that the user has no right on', async () => {
    const { standings, silent, refused } = await lookAtQueues(broker, ['silent', 'forbidden', 'missing', 'work'], 20);
    expect([...standings]).toEqual([
      ['missing', undefined],
      ['work', { messages: 1, consumers: 2 }],
    ]);
    expect(silent).toEqual(['silent']);
    expect(refused).toEqual(['forbidden']);
  });

  it('that the user has no right on are wrong, and name the rights', () => {
    expect(judgeUnseen([])).toEqual([]);
    expect(judgeUnseen(['work'])).toMatchObject([
      { verdict: 'wrong', what: expect.stringContaining('may not look at work') as unknown },
    ]);
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
