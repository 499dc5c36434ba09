export type { Fault } from './faults/fault.js';
export { FaultRun } from './faults/fault-run.js';
export { BROKER_FAULTS, POSTGRES_FAULTS } from './faults/server-faults.js';
export { allKilled, PROCESS_FAULTS, rollingRestart } from './faults/process-faults.js';
export { DeliveryLogReader } from './judge/delivery-log.js';
export { Judge } from './judge/judge.js';
export { duplicatesDuring, printed, type SurvivalReport } from './judge/report.js';
export { survive, type RunPlan } from './survival.js';
export type { SurvivalSettings } from './settings.js';
