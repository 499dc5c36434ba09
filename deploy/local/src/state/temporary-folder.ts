import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardian } from '../processes/guardian.js';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A folder of mode 0700 that is removed by `remove`, and also if this process dies without calling it. */
export function temporaryFolder(prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  guardian.removeAtDeath(path);
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      guardian.isRemoved(path);
    },
  };
}
