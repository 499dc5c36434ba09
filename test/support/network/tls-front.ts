import { issueCertificate, loadAuthority } from '@form-webhooks/local';
import { TlsFront, type Opening } from '@form-webhooks/survive';
import { inject } from 'vitest';

export type { TlsFront };

/** TLS in front of a server, with a certificate of the test's authority. */
export async function openTlsFront(target: string, opening: Opening): Promise<TlsFront> {
  const authority = await loadAuthority(inject('caFile'), inject('caKeyFile'));
  return TlsFront.open(target, opening, await issueCertificate(authority));
}
