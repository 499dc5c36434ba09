import type { Fault } from '../fault.js';
import { databasePassword } from './database-password.js';
import { identityKeys } from './identity-keys.js';
import { LEAKED_KEYS } from './leaked-keys.js';
import { ownerPassword } from './owner-password.js';

/** Keys and passwords that leak and are replaced (docs/key-compromise.md). */
export const KEY_FAULTS: readonly Fault[] = [...LEAKED_KEYS, databasePassword, ownerPassword, identityKeys];
