import { writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ensureAuthority, type CertificateAuthority } from '@form-webhooks/local';
import type { Stage } from '../../stage/stage.js';

/** Another authority of the run's own. */
export const freshAuthority = ({ folder }: Stage): Promise<CertificateAuthority> =>
  ensureAuthority(join(folder, `authority-${randomBytes(4).toString('hex')}`));

/** The authorities' certificates one behind the other in a file, as whoever trusts several gets them. */
export function writeTrust(file: string, ...authorities: readonly CertificateAuthority[]): void {
  writeFileSync(file, authorities.map(({ certificate }) => `${certificate.toString('pem')}\n`).join(''));
}
