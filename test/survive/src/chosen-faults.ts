import { CLUSTER_FAULTS } from './faults/cluster-faults.js';
import type { Fault } from './faults/fault.js';
import { FLOOD_FAULTS } from './faults/flood.js';
import { FREEZE_FAULTS } from './faults/frozen-connections.js';
import { DISK_FAULTS } from './faults/full-disks.js';
import { CERTIFICATE_FAULTS, KEY_FAULTS } from './faults/keys/key-faults.js';
import { MEMORY_FAULTS } from './faults/memory-faults.js';
import { PROCESS_FAULTS } from './faults/process-faults.js';
import { OLD_BACKUP_FAULTS, RESTORE_FAULTS } from './faults/restored-database.js';
import { ROLLING_FAULTS, UPGRADE_FAULTS } from './faults/rolling-faults.js';
import { BROKER_FAULTS, POSTGRES_FAULTS } from './faults/server-faults.js';
import { TOPOLOGY_FAULTS } from './faults/topology-faults.js';

/** As the command line has it. */
export interface Choice {
  readonly cluster: boolean;
  /** Each once, instead of any for some minutes. */
  readonly each: boolean;
  /** Words, separated by commas, of which a fault's name has to contain one. */
  readonly only: string;
  /** An earlier version, from which only its own faults lead to this one. */
  readonly from?: string | undefined;
}

/** @throws RangeError if `only` names none */
export function chosenFaults(choice: Choice): readonly Fault[] {
  const words = choice.only.split(',').filter(Boolean);
  if (words.length === 0) return usualFaults(choice);
  const all = [...usualFaults({ ...choice, each: true }), ...DISK_FAULTS, ...OLD_BACKUP_FAULTS];
  const chosen = all.filter(({ kind }) => words.some((word) => kind.includes(word)));
  if (chosen.length > 0) return chosen;
  throw new RangeError(`--only names none of: ${all.map(({ kind }) => kind).join(', ')}`);
}

function usualFaults({ cluster, each, from }: Choice): readonly Fault[] {
  if (from !== undefined) return UPGRADE_FAULTS;
  const brokerFaults = cluster ? CLUSTER_FAULTS : [...BROKER_FAULTS, ...FREEZE_FAULTS, ...KEY_FAULTS];
  // They take minutes: a run of minutes would do little else.
  const longFaults = each ? [...FLOOD_FAULTS, ...(cluster ? [] : CERTIFICATE_FAULTS)] : [];
  const others = [...brokerFaults, ...MEMORY_FAULTS, ...RESTORE_FAULTS, ...longFaults];
  return [...PROCESS_FAULTS, ...ROLLING_FAULTS, ...POSTGRES_FAULTS, ...TOPOLOGY_FAULTS, ...others];
}
