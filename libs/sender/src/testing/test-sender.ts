import { AddressPolicy, parseCidrs, parsePorts } from '@form-webhooks/domain';
import type { NameResolver } from '../permitted-addresses.js';
import { Sender, type SendRequest } from '../sender.js';
import type { SenderOptions } from '../sender-options.js';

export const BODY = Buffer.from('{"event":"submission.created","delivery_id":"dlv_1"}');

/** The host name that test certificates are made out to and the test resolver answers for. */
export const HOST = 'hooks.good.com';

/** A sender that may reach loopback and resolves every name to 127.0.0.1. */
export function testSender(extraRoots: string, overrides: Partial<SenderOptions> = {}): Sender {
  return new Sender({
    addressPolicy: new AddressPolicy({ allow: parseCidrs('127.0.0.0/8,::1') }),
    ports: parsePorts('443,1024-65535'),
    createResolver: () => fixedResolver({}),
    extraRoots,
    userAgent: 'form-webhooks-test',
    // What is to be timed out has a deadline of its own; all else has the time of a machine that stands still.
    attemptTimeoutMs: 10_000,
    bodyWaitMs: 200,
    resolveCacheMs: 0,
    ...overrides,
  });
}

export function aRequest(url: string, overrides: Partial<SendRequest> = {}): SendRequest {
  return { url, seal: () => ({ body: BODY, headers: { 'webhook-id': 'dlv_1' } }), ...overrides };
}

export class DnsError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Answers from a table; names that are not in it are at 127.0.0.1. An error code in the table is thrown. */
export function fixedResolver(
  table: Readonly<Record<string, { v4?: string[] | string; v6?: string[] | string }>>,
): NameResolver {
  const answer = async (given: string[] | string | undefined): Promise<string[]> => {
    if (typeof given === 'string') throw new DnsError(given);
    return given ?? [];
  };
  return {
    resolve4: (name) => answer(name in table ? table[name]!.v4 : ['127.0.0.1']),
    resolve6: (name) => answer(name in table ? table[name]!.v6 : []),
    cancel: () => undefined,
  };
}
