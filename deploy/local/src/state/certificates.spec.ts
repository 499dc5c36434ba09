import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ensureAuthority, issueCertificate, loadAuthority, type IssuedCertificate } from './certificates.js';

const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-ca-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** "200", or the error's code. */
async function visit(served: IssuedCertificate, servername: string, ca: string | undefined): Promise<string> {
  const server = createServer(served, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise<string>((resolve) => {
      const trust = ca === undefined ? {} : { ca };
      get({ host: '127.0.0.1', servername, port, agent: false, ...trust }, (response) => {
        response.resume();
        resolve(String(response.statusCode));
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the local certificate authority', () => {
  it('is made once, its key for its owner only', async () => {
    const first = await ensureAuthority(folder);
    const again = await ensureAuthority(folder);
    expect(again.certificate.serialNumber).toBe(first.certificate.serialNumber);
    expect(statSync(first.keyFile).mode & 0o777).toBe(0o600);
  });

  it('issues certificates that its clients trust and others do not', async () => {
    const authority = await ensureAuthority(folder);
    const issued = await issueCertificate(authority);
    expect(await visit(issued, 'localhost', issued.ca)).toBe('200');
    expect(await visit(issued, 'elsewhere.example', issued.ca)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await visit(issued, 'localhost', undefined)).toBe('SELF_SIGNED_CERT_IN_CHAIN');
    expect(new X509Certificate(issued.cert).subjectAltName).toContain('IP Address:127.0.0.1');
  });

  it('issues certificates for given names and times, such as one that is over', async () => {
    const { certificateFile, keyFile } = await ensureAuthority(folder);
    const authority = await loadAuthority(certificateFile, keyFile);
    const dnsNames = ['hooks.example'];
    expect(
      await visit(
        await issueCertificate(authority, { dnsNames }),
        'hooks.example',
        authority.certificate.toString('pem'),
      ),
    ).toBe('200');
    const over = await issueCertificate(authority, { dnsNames, notAfter: new Date(Date.now() - 1_000) });
    expect(await visit(over, 'hooks.example', over.ca)).toBe('CERT_HAS_EXPIRED');
    const early = await issueCertificate(authority, { dnsNames, notBefore: new Date(Date.now() + 60_000) });
    expect(await visit(early, 'hooks.example', early.ca)).toBe('CERT_NOT_YET_VALID');
  });

  it('says what to do when its files are damaged', async () => {
    const damaged = join(folder, 'damaged.pem');
    writeFileSync(damaged, 'no certificate');
    await expect(loadAuthority(damaged, damaged)).rejects.toThrow('Remove both files');
  });
});
