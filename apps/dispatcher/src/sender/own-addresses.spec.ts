import type { networkInterfaces } from 'node:os';
import { AddressPolicy } from '@form-webhooks/domain';
import { expect, it } from 'vitest';
import { ownAddresses } from './own-addresses.js';

const interfaces = (...addresses: string[]) =>
  ({ eth0: addresses.map((address) => ({ address })) }) as unknown as ReturnType<typeof networkInterfaces>;

it('our own public addresses are no receivers, whichever way they are known', () => {
  const source = { addresses: ['9.9.9.0/24'] };
  const deny = ownAddresses(
    { sourceAddresses: ['1.1.1.1'] },
    source,
    interfaces('8.8.8.8', '2001:4860:4860::8888', 'fe80::1%eth0', '10.0.0.1'),
  );
  const policy = new AddressPolicy({ deny });
  for (const own of ['1.1.1.1', '9.9.9.7', '8.8.8.8', '2001:4860:4860::8888']) expect(policy.permits(own)).toBe(false);
  for (const other of ['8.8.4.4', '9.9.8.9', '2001:4860:4860::8844']) expect(policy.permits(other)).toBe(true);
});

it('private ones stay open where they were opened', () => {
  const deny = ownAddresses({ sourceAddresses: [] }, { addresses: [] }, interfaces('127.0.0.1', '10.0.0.1'));
  expect(deny).toEqual([]);
});
