import { describe, expect, it } from 'vitest';
import { formEndpointsText } from './form-endpoints-text.js';
import type { FormEndpointsReply } from './rpc.js';

const REPLY: FormEndpointsReply = {
  registered: true,
  deleted: false,
  workspace_id: 'ws_1',
  paused: true,
  endpoints: [
    {
      id: 'we_1',
      url: 'https://a.example/',
      enabled: true,
      events: ['submission.created'],
      version: 1,
      secrets: [{ id: 'sec_1', sealed: '1.k.x.y', expires_at: null }],
      headers: [{ name: 'authorization', sealed: '1.k.x.z' }],
      retry_statuses: [404],
      redirect_is_success: true,
      retry_schedule: [10_000, 60_000],
      rate_limit: 5,
      paused: true,
    },
  ],
  erased_submissions: ['s_1'],
  erasures_listed_since: 1,
  now: 2,
  voucher: 'not a part of it',
};

/** Every value of the answer, as the path to it. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]));
}

/** The answer with one value changed. */
function changedAt(path: readonly string[]): FormEndpointsReply {
  const reply = JSON.parse(JSON.stringify(REPLY)) as FormEndpointsReply;
  const owner = path.slice(0, -1).reduce((at, name) => Reflect.get(at, name) as object, reply as object);
  Reflect.set(owner, path.at(-1)!, 'changed');
  return reply;
}

describe('what config vouches for', () => {
  const text = formEndpointsText('f_1', REPLY);

  it.each(pathsIn(REPLY).filter(([name]) => name !== 'voucher'))('has in it %s %s %s %s %s', (...path) => {
    const given = path.filter((name) => name !== undefined);
    expect(formEndpointsText('f_1', changedAt(given))).not.toBe(text);
  });

  it('is the same as before owners had these settings, for an endpoint that has none', () => {
    const [
      {
        headers: _none,
        retry_statuses: _,
        redirect_is_success: _no,
        rate_limit: _any,
        retry_schedule: _own,
        paused: _held,
        ...endpoint
      },
    ] = REPLY.endpoints as [FormEndpointsReply['endpoints'][number]];
    const { paused: _heldAll, ...released } = REPLY;
    const without = { ...released, endpoints: [endpoint] };
    expect(formEndpointsText('f_1', without)).toContain('[["sec_1","1.k.x.y",null]]]]');
    expect(
      formEndpointsText('f_1', {
        ...released,
        endpoints: [
          {
            ...endpoint,
            headers: null,
            retry_statuses: null,
            redirect_is_success: null,
            rate_limit: null,
            retry_schedule: null,
            paused: null,
          },
        ],
      }),
    ).toBe(formEndpointsText('f_1', without));
    expect(formEndpointsText('f_1', without)).not.toBe(text);
  });

  it('has in it which form was asked about, and survives the way over the broker', () => {
    expect(formEndpointsText('f_2', REPLY)).not.toBe(text);
    expect(formEndpointsText('f_1', JSON.parse(JSON.stringify(REPLY)) as FormEndpointsReply)).toBe(text);
  });
});
