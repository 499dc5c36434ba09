import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressPolicy, parseCidrs } from './address-policy.js';

const policy = new AddressPolicy();

describe('the address policy (E2, E3)', () => {
  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '1.1.1.1',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '168.63.129.17',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])('permits %s', (address) => {
    expect(policy.permits(address)).toBe(true);
  });

  it.each([
    ['row 3', '127.0.0.1'],
    ['row 5', '0.0.0.0'],
    ['row 11', '::1'],
    ['row 11', '::'],
    ['row 12', '::ffff:127.0.0.1'],
    ['row 12', '0:0:0:0:0:ffff:a9fe:a9fe'],
    ['row 13', '::ffff:8.8.8.8'],
    ['row 14', '::127.0.0.1'],
    ['E3', '::ffff:0:8.8.8.8'],
    ['row 15', '64:ff9b::7f00:1'],
    ['row 15', '64:ff9b::808:808'],
    ['row 15', '64:ff9b:1::a9fe:a9fe'],
    ['row 16', '2002:7f00:1::'],
    ['E3 Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['E3', '2001:db8::1'],
    ['E3', '2620:4f:8000::1'],
    ['E3', '3fff::1'],
    ['E3', '5f00::1'],
    ['E3', '100::1'],
    ['row 18', 'fe80::1%eth0'],
    ['row 18', '2606:4700::1%eth0'],
    ['E3', 'fe80::1'],
    ['E3', 'fec0::1'],
    ['E3', 'ff02::1'],
    ['row 19', 'fd00:ec2::254'],
    ['row 19', 'fd20:ce::254'],
    ['row 21', '169.254.169.254'],
    ['row 21', '169.254.170.2'],
    ['row 21', '100.100.100.200'],
    ['row 21', '192.0.0.192'],
    ['row 22', '168.63.129.16'],
    ['row 23', '240.0.0.1'],
    ['row 23', '255.255.255.255'],
    ['row 23', '224.0.0.1'],
    ['row 23', '198.18.0.1'],
    ['E3', '10.0.0.1'],
    ['E3', '172.16.0.1'],
    ['E3', '192.168.0.1'],
    ['no address', 'localhost'],
    ['no address', ''],
    ['no address', '127.1'],
    ['no address', '8.8.8.8/32'],
  ])('denies (%s) %s', (_rule, address) => {
    expect(policy.permits(address)).toBe(false);
  });

  it('permits no IPv6 address outside 2000::/3, whatever it carries', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        fc.pre(!/^[23][0-9a-f]{3}:/i.test(address));
        expect(policy.permits(address)).toBe(false);
      }),
    );
  });

  it('agrees with a block list of the standard library on every IPv4 address', () => {
    const reference = new BlockList();
    for (const range of PRIVATE_IPV4) reference.addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), 'ipv4');
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(policy.permits(address)).toBe(!reference.check(address));
      }),
      { numRuns: 2_000 },
    );
  });

  it('denies every notation of an IPv4 address inside an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), (address, prefix) => {
        expect(policy.permits(prefix + address)).toBe(false);
      }),
    );
  });
});

describe('operator ranges (E4)', () => {
  it('lifts the rules for what the allow list names, and for nothing else', () => {
    const lifted = new AddressPolicy({ allow: parseCidrs('127.0.0.0/8,fd00::/8,::1') });
    expect(lifted.permits('127.0.0.1')).toBe(true);
    expect(lifted.permits('::1')).toBe(true);
    expect(lifted.permits('fd12::1')).toBe(true);
    expect(lifted.permits('10.0.0.1')).toBe(false);
    expect(lifted.permits('8.8.8.8')).toBe(true);
  });

  it('does not let an IPv4 range lift the rule for IPv6 addresses that carry it', () => {
    const lifted = new AddressPolicy({ allow: parseCidrs('0.0.0.0/0') });
    expect(lifted.permits('127.0.0.1')).toBe(true);
    expect(lifted.permits('::ffff:127.0.0.1')).toBe(false);
    expect(new AddressPolicy({ allow: parseCidrs('::ffff:127.0.0.0/104') }).permits('::ffff:127.0.0.1')).toBe(true);
  });

  it('lets the deny list win over everything', () => {
    const own = new AddressPolicy({ allow: parseCidrs('10.0.0.0/8'), deny: parseCidrs('10.0.0.5,8.8.8.0/24') });
    expect(own.permits('10.0.0.4')).toBe(true);
    expect(own.permits('10.0.0.5')).toBe(false);
    expect(own.permits('8.8.8.8')).toBe(false);
  });
});

describe('parseCidrs', () => {
  it('reads ranges and single addresses, and nothing from nothing', () => {
    expect(parseCidrs(' 10.0.0.0/8 , ::1 ')).toEqual([
      { family: 4, base: [0x0a000000], mask: [0xff000000] },
      { family: 6, base: [0, 0, 0, 1], mask: Array(4).fill(0xffffffff) },
    ]);
    expect(parseCidrs('')).toEqual([]);
  });

  it.each([
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::%1/10',
  ])('refuses %s in a sentence that names it', (text) => {
    expect(() => parseCidrs(`127.0.0.1,${text}`)).toThrow(RangeError);
    expect(() => parseCidrs(`127.0.0.1,${text}`)).toThrow(`"${text}"`);
  });

  it('contains exactly the addresses that share the prefix', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.integer({ min: 0, max: 32 }), (address, bits) => {
        expect(new AddressPolicy({ allow: parseCidrs(`${address}/${bits}`) }).permits(address)).toBe(true);
        expect(new AddressPolicy({ deny: parseCidrs(`${address}/${bits}`) }).permits(address)).toBe(false);
        expect(isIPv4(address) || address.includes(':')).toBe(true);
      }),
    );
  });
});

/** IANA's special-purpose registry as E3 lists it, written out a second time on purpose. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
