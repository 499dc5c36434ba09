import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf } from './network-of.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::1:2:3:4:192.0.2.7', '0:0:1:2::/64'],
  ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:4711', '2001:db8:1:2::/64'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('however an address is written', () => {
  const group = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0, 1, 0xffff));
  const zone = fc.constantFrom('', '%eth0', '%1');
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

  /** Every way to write one group: in either case, with and without leading zeros. */
  const groupText = (value: number) =>
    fc
      .record({ width: fc.integer({ min: 1, max: 4 }), upper: fc.boolean() })
      .map(({ width, upper }) => value.toString(16).padStart(width, '0')[upper ? 'toUpperCase' : 'toLowerCase']());

  const dotted = ([a, b]: readonly number[]): string => [a! >> 8, a! & 255, b! >> 8, b! & 255].join('.');

  /** Every way to write an address: a row of zeros left out or not, the last two groups dotted or not, with a zone. */
  const addressText = (groups: readonly number[]) =>
    fc
      .record({ texts: fc.tuple(...groups.map(groupText)), ending: fc.boolean(), from: fc.nat(7), to: fc.nat(8), zone })
      .map(({ texts, ending, from, to, zone: zoneText }) => {
        const parts: string[] = ending ? [...texts.slice(0, 6), dotted(groups.slice(6))] : texts;
        const spelled = groups.slice(from, to).every((value) => value === 0) && to > from && to <= parts.length;
        if (!spelled) return parts.join(':') + zoneText;
        return `${parts.slice(0, from).join(':')}::${parts.slice(to).join(':')}${zoneText}`;
      });

  it('counts an IPv4 address and all that map it to IPv6 as one', () => {
    const forms = octets.chain(([a, b, c, d]) => {
      const mapped = addressText([0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]);
      return fc.tuple(fc.constant([a, b, c, d].join('.')), mapped);
    });
    fc.assert(fc.property(forms, ([plain, mapped]) => networkOf(plain) === plain && networkOf(mapped) === plain));
  });

  it('counts an IPv6 network once', () => {
    const forms = fc
      .array(group, { minLength: 8, maxLength: 8 })
      .filter((groups) => groups.slice(0, 5).some((value) => value !== 0) || groups[5] !== 0xffff)
      .chain((groups) => fc.tuple(fc.constant(groups), addressText(groups)));
    fc.assert(
      fc.property(forms, ([groups, text]) => {
        const network = groups.slice(0, 4).map((value) => value.toString(16));
        return networkOf(text) === `${network.join(':')}::/64`;
      }),
    );
  });

  it('never counts two networks as one', () => {
    const sides = fc.tuple(group, group, group, fc.integer({ min: 1, max: 0xffff }));
    fc.assert(
      fc.property(sides, sides, (one, other) => {
        const same = one.every((value, i) => value === other[i]);
        const of = (groups: readonly number[]) => networkOf(`${groups.map((n) => n.toString(16)).join(':')}::1`);
        return (of(one) === of(other)) === same;
      }),
    );
  });
});
