import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureAuthority, issueCertificate } from '../state/certificates.js';
import { DemoReceiver } from './demo-receiver.js';

it('says that its port was taken, whatever becomes of the other address, and leaves nothing unhandled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-receiver-'));
  const certificate = await issueCertificate(await ensureAuthority(folder));
  rmSync(folder, { recursive: true });
  // On all addresses, IPv6 included where there is some; without, that address fails by itself.
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, resolve));
  const { port } = taken.address() as AddressInfo;
  const receiver = new DemoReceiver(certificate, 0, () => undefined);
  await expect(receiver.listen(port)).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => taken.close(resolve));
});
