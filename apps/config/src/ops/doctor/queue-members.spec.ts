import { describe, expect, it } from 'vitest';
import { judgeMembers, readQueues } from './queue-members.js';

const THREE = ['rabbit@a', 'rabbit@b', 'rabbit@c'];
const LISTED = JSON.stringify([
  { name: 'dispatcher.events', type: 'rabbit_quorum_queue', members: THREE },
  { name: 'dispatcher.deliveries', type: 'quorum', members: THREE.slice(0, 1) },
  { name: 'dispatcher.due', type: 'rabbit_classic_queue', members: '' },
  { name: 'retry.shared.10000', type: 'rabbit_quorum_queue', members: THREE.slice(1) },
]);

describe('the members of queues', () => {
  it('are told where there are fewer than nodes, with what adds them', () => {
    expect(judgeMembers(readQueues(LISTED), 3)).toMatchObject({
      verdict: 'wrong',
      what:
        '2 of 3 quorum queues without a member on each node: dispatcher.deliveries has 1 of 3; ' +
        'retry.shared.10000 has 2 of 3',
      repair: expect.stringContaining(
        String.raw`rabbitmq-queues grow <node> all --queue-pattern '^(dispatcher\.deliveries|retry\.shared\.10000)$'`,
      ),
    });
  });

  it('are told in a line where every queue lacks them, with a command for all', () => {
    const listed = Array.from({ length: 150 }, (_, n) => ({ name: `q.${n}`, type: 'quorum', members: ['rabbit@a'] }));
    const { what, repair } = judgeMembers(readQueues(JSON.stringify(listed)), 3);
    expect(what).toMatch(
      /^150 of 150 quorum queues without a member on each node: q\.0 has 1 of 3; .*q\.4 has 1 of 3; and 145 more$/,
    );
    expect(repair).toBe('for each node that lacks them: rabbitmq-queues grow <node> all');
  });

  it('are enough on as many nodes as there are', () => {
    expect(judgeMembers(readQueues(LISTED), 1)).toMatchObject({
      verdict: 'fine',
      what: 'every quorum queue has 1 member',
    });
  });

  it('are not known of a list without a quorum queue', () => {
    expect(judgeMembers([{ name: 'other', type: 'classic' }], 3).verdict).toBe('unknown');
  });

  it.each(['[]', '{}', '[1]', '[{"name":"q"}]'])('are not checked by what is no list of queues: %s', (text) => {
    expect(() => readQueues(text)).toThrow('rabbitmqctl');
  });
});
