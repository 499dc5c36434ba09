import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressPolicy, parseCidrs } from './address-policy.js';
import {
  checkEndpointUrl,
  DEFAULT_EGRESS_PORTS,
  parseAllowedHosts,
  parsePorts,
  type EndpointUrlPolicy,
} from './endpoint-url.js';

const policy: EndpointUrlPolicy = {
  addresses: new AddressPolicy(),
  ports: parsePorts(DEFAULT_EGRESS_PORTS),
  allowedHosts: [],
};
const longLabel = 'a'.repeat(64);
const name254 = `${'abcdefgh.'.repeat(28)}ab`;

describe('URLs that are refused (U1 to U8, rows 1 to 34)', () => {
  it.each([
    ['row 1', 'not_https', 'http://hooks.example.com/'],
    ['row 2', 'not_https', 'ftp://good.com/'],
    ['row 2', 'not_https', 'file:///etc/passwd'],
    ['row 2', 'not_https', 'javascript:alert(1)'],
    ['row 2', 'not_https', 'data:text/plain,x'],
    ['row 2', 'not_https', 'ws://h/'],
    ['row 3', 'address_not_allowed', 'https://127.0.0.1/'],
    ['row 4', 'address_not_allowed', 'https://127.1/'],
    ['row 4', 'address_not_allowed', 'https://2130706433/'],
    ['row 4', 'address_not_allowed', 'https://0x7f000001/'],
    ['row 4', 'address_not_allowed', 'https://0177.0.0.1/'],
    ['row 4', 'address_not_allowed', 'https://017700000001/'],
    ['row 4', 'address_not_allowed', 'https://127%2e0%2e0%2e1/'],
    ['row 4', 'address_not_allowed', 'https://\uff11\uff12\uff17\u30020\u30020\u30021/'],
    ['row 5', 'address_not_allowed', 'https://0/'],
    ['row 5', 'address_not_allowed', 'https://0.0.0.0/'],
    ['row 8', 'address_not_allowed', 'https://127.0.0.1./'],
    ['row 10', 'invalid_url', 'https://256.256.256.256/'],
    ['row 10', 'invalid_url', 'https://1.2.3.4.5/'],
    ['row 11', 'address_not_allowed', 'https://[::1]/'],
    ['row 11', 'address_not_allowed', 'https://[::]/'],
    ['row 12', 'address_not_allowed', 'https://[::ffff:127.0.0.1]/'],
    ['row 12', 'address_not_allowed', 'https://[0:0:0:0:0:ffff:a9fe:a9fe]/'],
    ['row 13', 'address_not_allowed', 'https://[::ffff:8.8.8.8]/'],
    ['row 14', 'address_not_allowed', 'https://[::127.0.0.1]/'],
    ['row 15', 'address_not_allowed', 'https://[64:ff9b::7f00:1]/'],
    ['row 15', 'address_not_allowed', 'https://[64:ff9b:1::a9fe:a9fe]/'],
    ['row 16', 'address_not_allowed', 'https://[2002:7f00:1::]/'],
    ['row 18', 'invalid_url', 'https://[fe80::1%25eth0]/'],
    ['row 18', 'invalid_url', 'https://[::1%25lo]/'],
    ['row 19', 'address_not_allowed', 'https://[fd00:ec2::254]/'],
    ['row 19', 'address_not_allowed', 'https://[fd20:ce::254]/'],
    ['row 21', 'address_not_allowed', 'https://169.254.169.254/latest/meta-data/'],
    ['row 21', 'address_not_allowed', 'https://169.254.170.2/'],
    ['row 21', 'address_not_allowed', 'https://100.100.100.200/'],
    ['row 21', 'address_not_allowed', 'https://192.0.0.192/'],
    ['row 22', 'address_not_allowed', 'https://168.63.129.16/'],
    ['row 23', 'address_not_allowed', 'https://240.0.0.1/'],
    ['row 23', 'address_not_allowed', 'https://255.255.255.255/'],
    ['row 23', 'address_not_allowed', 'https://224.0.0.1/'],
    ['row 23', 'address_not_allowed', 'https://198.18.0.1/'],
    ['row 24', 'address_not_allowed', 'https://localhost/'],
    ['row 24', 'address_not_allowed', 'https://LOCALHOST/'],
    ['row 24', 'address_not_allowed', 'https://ⓛocalhost/'],
    ['row 24', 'address_not_allowed', 'https://foo.localhost/'],
    ['row 24', 'address_not_allowed', 'https://localhost./'],
    ['row 25', 'address_not_allowed', 'https://metadata.google.internal/'],
    ['row 25', 'address_not_allowed', 'https://kubernetes.default.svc/'],
    ['row 25', 'address_not_allowed', 'https://a.b.svc.cluster.local/'],
    ['row 25', 'address_not_allowed', 'https://intranet/'],
    ['row 25', 'address_not_allowed', 'https://unix/'],
    ['row 25', 'address_not_allowed', 'https://unix:/var/run/docker.sock:/x'],
    ['row 26', 'invalid_url', 'https://user:pw@host.com/'],
    ['row 26', 'invalid_url', 'https://user@host.com/'],
    ['row 26', 'invalid_url', 'https://good.com@127.0.0.1/'],
    ['row 27', 'invalid_url', 'https://127.0.0.1#@good.com/'],
    ['U4', 'invalid_url', 'https://good.com/#'],
    ['U4', 'invalid_url', 'https://good.com/hook#part'],
    ['row 29', 'invalid_url', 'https:good.com'],
    ['row 29', 'invalid_url', 'https:/good.com'],
    ['row 29', 'invalid_url', 'https:///good.com'],
    ['row 29', 'invalid_url', '//good.com/'],
    ['row 29', 'invalid_url', 'good.com/hook'],
    ['row 29', 'invalid_url', 'good.com:443/hook'],
    ['row 29', 'invalid_url', ''],
    ['row 29', 'invalid_url', 'https://'],
    ['row 30', 'address_not_allowed', 'https://good.com:0/'],
    ['row 30', 'address_not_allowed', 'https://good.com:22/'],
    ['row 30', 'address_not_allowed', 'https://good.com:25/'],
    ['row 30', 'address_not_allowed', 'https://good.com:80/'],
    ['row 30', 'invalid_url', 'https://good.com:65536/'],
    ['row 32', 'invalid_url', 'https://go\tod.com/'],
    ['row 32', 'invalid_url', 'https://good.com/\r\nX: y'],
    ['row 32', 'invalid_url', ' https://good.com/'],
    ['row 32', 'invalid_url', 'https://good.com/ '],
    ['U1', 'invalid_url', 'https:\\\\good.com\\'],
    ['U1', 'invalid_url', 'https://good.com\\@127.0.0.1/'],
    ['U1', 'invalid_url', 'https://good.com/\u007f'],
    ['row 33', 'invalid_url', 'https://ho%00st/'],
    ['row 33', 'invalid_url', 'https://ho st/'],
    ['row 34', 'invalid_url', `https://${longLabel}.com/`],
    ['row 34', 'invalid_url', `https://${name254}/`],
    ['row 34', 'invalid_url', `https://good.com/${'a'.repeat(5_000)}`],
    ['row 34', 'invalid_url', `https://good.com/${'é'.repeat(700)}`],
    ['U7', 'invalid_url', 'https://a..b/'],
    ['U7', 'invalid_url', 'https://.a.com/'],
    ['U7', 'invalid_url', 'https://good.com../'],
    ['U6', 'invalid_url', 'https://8.8.8.8../'],
    ['U6', 'invalid_url', 'https://134744072../'],
    ['U6', 'invalid_url', 'https://0x7f.1../'],
    ['U6', 'invalid_url', 'https://8.8.8.8。。/'],
    ['U7', 'invalid_url', 'https://-good.com/'],
    ['U7', 'invalid_url', 'https://go*od.com/'],
  ])('%s: %s for %j', (_row, code, url) => {
    const check = checkEndpointUrl(url, policy);
    expect(check).toMatchObject({ ok: false, code });
    expect((check as { message: string }).message).toMatch(/^[A-Z].*\.$/);
  });

  it('refuses port 8443 when the operator allows only 443', () => {
    const strict = { ...policy, ports: parsePorts('443') };
    expect(checkEndpointUrl('https://good.com:8443/', strict)).toEqual({
      ok: false,
      code: 'address_not_allowed',
      message: 'Port 8443 is not allowed; use one of 443.',
    });
  });
});

describe('URLs that are accepted, in canonical form (U9)', () => {
  it.each([
    ['row 31', 'https://good.com:443/', 'https://good.com/', 'https://good.com'],
    ['row 35', 'https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'https://xn--80ak6aa92e.com'],
    ['row 37', 'https://10.0.0.1.nip.io/', 'https://10.0.0.1.nip.io/', 'https://10.0.0.1.nip.io'],
    ['U7', 'https://Good.COM./Hook?a=1', 'https://good.com/Hook?a=1', 'https://good.com'],
    ['U7', 'HTTPS://good.com', 'https://good.com/', 'https://good.com'],
    ['U7', 'https://my_app.good.com/', 'https://my_app.good.com/', 'https://my_app.good.com'],
    ['U5', 'https://good.com:8443/x', 'https://good.com:8443/x', 'https://good.com:8443'],
    ['U6', 'https://93.184.216.34/', 'https://93.184.216.34/', 'https://93.184.216.34'],
    [
      'U6',
      'https://[2606:4700:4700::1111]:8443/',
      'https://[2606:4700:4700::1111]:8443/',
      'https://[2606:4700:4700::1111]:8443',
    ],
  ])('%s: %s', (_row, url, href, origin) => {
    expect(checkEndpointUrl(url, policy)).toEqual({ ok: true, href, origin });
  });

  it('accepts its own canonical form again, unchanged', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (url) => {
        const first = checkEndpointUrl(url, policy);
        fc.pre(first.ok);
        expect(checkEndpointUrl(first.href, policy)).toEqual(first);
      }),
    );
  });

  it('never throws, whatever the text is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void checkEndpointUrl(`https://${text}`, policy)));
  });
});

describe('what the operator can lift (U8, E4)', () => {
  const lifted: EndpointUrlPolicy = {
    ...policy,
    addresses: new AddressPolicy({ allow: parseCidrs('127.0.0.0/8') }),
    allowedHosts: parseAllowedHosts('localhost, *.LOCALHOST, receiver'),
  };

  it.each(['https://localhost:8443/', 'https://a.localhost/', 'https://receiver:3000/x', 'https://127.0.0.1:8443/'])(
    'accepts %s',
    (url) => expect(checkEndpointUrl(url, lifted)).toMatchObject({ ok: true }),
  );

  it.each([
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://other/',
    'https://x.internal/',
    'https://10.0.0.1/',
  ])('still refuses %s', (url) =>
    expect(checkEndpointUrl(url, lifted)).toMatchObject({ ok: false, code: 'address_not_allowed' }),
  );

  it('lets a plain entry stand for itself only, and a starred one only for names under it', () => {
    const one = { ...policy, allowedHosts: ['localhost'] };
    expect(checkEndpointUrl('https://a.localhost/', one).ok).toBe(false);
    const under = { ...policy, allowedHosts: ['*.localhost'] };
    expect(checkEndpointUrl('https://localhost/', under).ok).toBe(false);
    expect(checkEndpointUrl('https://notlocalhost/', under).ok).toBe(false);
  });
});

describe('settings', () => {
  it('reads ports and ranges', () => {
    expect(parsePorts('443, 1024-65535')).toEqual([
      { from: 443, to: 443 },
      { from: 1_024, to: 65_535 },
    ]);
  });

  it.each(['', '0', '65536', '9-8', 'https', '443-', '1-2-3'])('refuses %j as ports', (text) => {
    expect(() => parsePorts(text)).toThrow(RangeError);
  });

  it.each(['*', 'a b', 'https://localhost', '*.*.x', 'localhost:80'])('refuses %j as a host', (text) => {
    expect(() => parseAllowedHosts(text)).toThrow(`"${text}"`);
  });
});
