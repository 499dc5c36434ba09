import { describe, expect, it } from 'vitest';
import { growCommand, readQueues, shortQueues } from './queue-members.js';

const THREE = ['rabbit@a', 'rabbit@b', 'rabbit@c'];
const LISTED = JSON.stringify([
  { name: 'dispatcher.events', type: 'rabbit_quorum_queue', members: THREE },
  { name: 'dispatcher.deliveries', type: 'quorum', members: THREE.slice(0, 1) },
  { name: 'dispatcher.due', type: 'rabbit_classic_queue', members: '' },
  { name: 'retry.shared.10000', type: 'rabbit_quorum_queue', members: THREE.slice(1) },
]);

describe('the members of queues', () => {
  it('are told where there are fewer than nodes, with what adds them', () => {
    const short = shortQueues(readQueues(LISTED), 3);
    expect(short).toEqual([
      { name: 'dispatcher.deliveries', members: 1 },
      { name: 'retry.shared.10000', members: 2 },
    ]);
    expect(growCommand(short)).toBe(
      String.raw`rabbitmq-queues grow <node> all --queue-pattern '^(dispatcher\.deliveries|retry\.shared\.10000)$'`,
    );
  });

  it('are enough on as many nodes as there are', () => {
    expect(shortQueues(readQueues(LISTED), 1)).toEqual([]);
  });

  it.each(['[]', '{}', '[1]', '[{"name":"q"}]'])('are not checked by what is no list of queues: %s', (text) => {
    expect(() => readQueues(text)).toThrow('rabbitmqctl');
  });
});
