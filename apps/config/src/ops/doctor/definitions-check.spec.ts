import { describe, expect, it } from 'vitest';
import { patternOf, PERMISSIONS, standingTopology, type BrokerUser } from '@form-webhooks/broker';
import { checkDefinitions, readDefinitions, type Definitions } from './definitions-check.js';

const vhost = '/';
const { exchanges, queues, singleNodeQueues, bindings } = standingTopology();

/** What RabbitMQ exports of an installation in which all is as it should be. */
const WHOLE = {
  exchanges: exchanges.map(({ name, type }) => ({ vhost, name, type })),
  queues: [...queues, ...singleNodeQueues].map(({ name, arguments: args }) => ({ vhost, name, arguments: args })),
  bindings: bindings.map(({ exchange, queue, routingKey = '#' }) => ({
    ...{ vhost, source: exchange, destination: queue, routing_key: routingKey },
  })),
  permissions: (Object.keys(PERMISSIONS) as BrokerUser[]).map((user) => {
    const { configure, write, read } = PERMISSIONS[user];
    return { user, vhost, configure: patternOf(configure), write: patternOf(write), read: patternOf(read) };
  }),
  policies: [{ vhost, name: 'mirrors', pattern: '.*', definition: { 'ha-mode': 'all' } }],
} satisfies Definitions;

const wrongIn = (changed: Definitions) =>
  checkDefinitions({ ...WHOLE, ...changed }, vhost).filter(({ verdict }) => verdict !== 'fine');

describe("the broker's definitions", () => {
  it('are fine as a new installation has them, with whatever else is on the broker', () => {
    expect(wrongIn({})).toEqual([]);
    const other = { vhost: 'other', name: 'short', pattern: '.*', definition: { expires: 1 } };
    expect(wrongIn({ policies: [other], permissions: [] })).toEqual([]);
  });

  it('are read as rabbitmqctl prints them', () => {
    expect(readDefinitions(JSON.stringify(WHOLE))).toEqual(WHOLE);
  });

  it.each(['{"name":"form-webhooks","workspaces":[]}', '{"bindings":[]}', '[]', 'null', '{"queues":{},"bindings":[]}'])(
    'are not checked by what is none, which would seem to lack everything: %s',
    (text) => expect(() => readDefinitions(text)).toThrow('export_definitions'),
  );

  it('show a missing binding', () => {
    const missing = WHOLE.bindings.filter(({ source }) => source !== 'form.events');
    expect(wrongIn({ bindings: missing })).toMatchObject([
      {
        check: 'bindings',
        what: 'missing: form.events → ingest.form-events',
        repair: expect.stringContaining('start it'),
      },
    ]);
  });

  it('show a queue with other arguments', () => {
    const other = WHOLE.queues.map((queue) =>
      queue.name === 'dispatcher.events' ? { ...queue, arguments: { 'x-queue-type': 'classic' } } : queue,
    );
    expect(wrongIn({ queues: other })).toMatchObject([
      { check: 'queue arguments', what: 'declared otherwise: dispatcher.events' },
    ]);
  });

  it('show a user with too few rights, and the command that gives them', () => {
    const fewer = WHOLE.permissions.map((one) => (one.user === 'ingest' ? { ...one, write: '^ingest\\..*$' } : one));
    expect(wrongIn({ permissions: fewer })).toMatchObject([
      { check: 'rights', what: expect.stringContaining('ingest'), repair: expect.stringContaining("-p / ingest '^(") },
    ]);
  });

  it('take a user with wider rights for good', () => {
    const all = WHOLE.permissions.map((one) => ({ ...one, configure: '.*', write: '.*', read: '.*' }));
    expect(wrongIn({ permissions: all })).toEqual([]);
  });

  it('show a policy that would drop what waits', () => {
    const policies = [{ vhost, name: 'short', pattern: '^dispatcher', definition: { 'message-ttl': 60_000 } }];
    expect(wrongIn({ policies })).toMatchObject([{ check: 'policies', what: expect.stringContaining('short') }]);
  });
});
