import type { OpsCommand } from '../ops-command.js';
import { VERIFY_AUDIT } from './audit.js';
import { BENCH } from '../bench/bench.js';
import { CHECK_BACKUP } from '../backup/backup-check.js';
import { CHECK_RESTORE } from '../backup/restore-check.js';
import { DOCTOR } from './doctor.js';
import { FIND } from './find.js';
import { ROTATE_KEYS } from './keys.js';
import { MIGRATE } from './migrate.js';
import { PARKED } from './parked.js';
import { PAUSE, RESUME } from './pause.js';
import { REPLAY } from './replay.js';
import { TAIL } from './tail.js';

/** Every command, in the order of the list. */
export const COMMANDS: readonly OpsCommand[] = [
  DOCTOR,
  FIND,
  ...PARKED,
  TAIL,
  PAUSE,
  RESUME,
  REPLAY,
  MIGRATE,
  ROTATE_KEYS,
  VERIFY_AUDIT,
  CHECK_BACKUP,
  CHECK_RESTORE,
  BENCH,
];
