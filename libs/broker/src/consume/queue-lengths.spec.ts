import { afterEach, expect, it, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from '../connection/broker-link.js';
import { QueueLengths } from './queue-lengths.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What asks goes on for as long as its session stands, beside the specs that follow in this process. */
const sessions: { open: boolean }[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.open = false;
});

/** A broker with these queues; it closes a channel by which it is asked for another. */
class Queues {
  readonly lengths: Record<string, number> = { a: 3, c: 5 };
  /** What gives the answers that it owes. */
  readonly owed: (() => void)[] = [];
  private leaderless = '';
  /** On which the user has no right. */
  forbidden = '';
  opened = 0;
  steps: LinkStep[] = [];

  readonly link = { addStep: (step: LinkStep) => void this.steps.push(step) } as unknown as BrokerLink;

  connect(): Promise<void[]> {
    const session = { open: true, openExpendableChannel: () => this.openChannel() };
    sessions.push(session);
    return Promise.all(this.steps.map((step) => step(session as unknown as Session)));
  }

  /** The queue has no leader: it answers when it has one again. */
  loseLeaderOf(queue: string): void {
    this.leaderless = queue;
  }

  giveOwedAnswers(): void {
    this.leaderless = '';
    for (const give of this.owed.splice(0)) give();
  }

  private openChannel() {
    this.opened += 1;
    let open = true;
    const checkQueue = async (queue: string) => {
      if (!open) throw new Error('the channel is closed');
      if (queue === this.leaderless) {
        await new Promise<void>((resolve) => this.owed.push(resolve));
      }
      const messageCount = this.lengths[queue];
      const isForbidden = queue === this.forbidden;
      if (messageCount !== undefined && !isForbidden) return { messageCount, consumerCount: 1 };
      open = false;
      if (isForbidden) throw Object.assign(new Error('refused'), { code: 403 });
      throw Object.assign(new Error('not found'), { code: 404 });
    };
    return Promise.resolve({ checkQueue, close: () => Promise.resolve() });
  }
}

it('a queue that is not there hides no other, and is told of once it is there', async () => {
  const queues = new Queues();
  const lengths = new QueueLengths(queues.link, ['a', 'b', 'c'], silent, 5);
  await queues.connect();
  await vi.waitFor(() => expect(lengths.all.map(({ queue }) => queue)).toEqual(['a', 'c']));
  expect([lengths.lengthOf('a'), lengths.lengthOf('b'), lengths.lengthOf('c')]).toEqual([3, 0, 5]);
  queues.lengths['b'] = 7;
  delete queues.lengths['a'];
  await vi.waitFor(() => expect(lengths.all).toContainEqual({ queue: 'b', messages: 7, consumers: 1 }));
  await vi.waitFor(() => expect(lengths.all.map(({ queue }) => queue)).not.toContain('a'));
});

it('a queue that owes its answer hides no other, is told of no more, and is not asked again before it has given it', async () => {
  const queues = new Queues();
  const lengths = new QueueLengths(queues.link, ['a', 'c'], silent, 5, 20);
  await queues.connect();
  await vi.waitFor(() => expect(lengths.lengthOf('a')).toBe(3));
  queues.loseLeaderOf('a');
  queues.lengths['c'] = 6;
  await vi.waitFor(() => expect(lengths.all).toEqual([{ queue: 'c', messages: 6, consumers: 1 }]));
  queues.lengths['c'] = 7;
  await vi.waitFor(() => expect(lengths.lengthOf('c')).toBe(7));
  expect(queues.owed).toHaveLength(1);
  // So that nobody chooses it.
  expect(lengths.lengthOf('a')).toBe(Infinity);
  queues.giveOwedAnswers();
  await vi.waitFor(() => expect(lengths.lengthOf('a')).toBe(3));
});

it('a queue that the user may not look at hides no other, and is told of in words once a minute', async () => {
  const queues = new Queues();
  queues.forbidden = 'a';
  const warn = vi.fn();
  const lengths = new QueueLengths(queues.link, ['a', 'c'], { ...silent, warn }, 5);
  await queues.connect();
  await vi.waitFor(() => expect(queues.opened).toBeGreaterThan(5));
  expect(lengths.all).toEqual([{ queue: 'c', messages: 5, consumers: 1 }]);
  expect(warn).toHaveBeenCalledOnce();
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ queue: 'a' }), expect.stringContaining('does not let'));
});
