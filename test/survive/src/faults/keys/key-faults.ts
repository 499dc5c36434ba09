import type { Fault } from '../fault.js';
import { databasePassword } from './database-password.js';
import { identityKeys } from './identity-keys.js';
import { LEAKED_KEYS } from './leaked-keys.js';
import { ownerPassword } from './owner-password.js';
import { receiverAuthority } from './receiver-authority.js';
import { serverCertificates } from './server-certificates.js';

/** Keys and passwords that leak and are replaced (docs/key-compromise.md). */
export const KEY_FAULTS: readonly Fault[] = [...LEAKED_KEYS, databasePassword, ownerPassword, identityKeys];

/** Certificates and who vouches for them: each service is restarted up to four times. */
export const CERTIFICATE_FAULTS: readonly Fault[] = [serverCertificates, receiverAuthority];
