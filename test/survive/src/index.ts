export type { Fault } from './fault.js';
export { FaultRun } from './fault-run.js';
export { BROKER_FAULTS, POSTGRES_FAULTS } from './server-faults.js';
export { allKilled, PROCESS_FAULTS, rollingRestart } from './process-faults.js';
export { DeliveryLogReader } from './delivery-log.js';
export { Judge } from './judge.js';
export { duplicatesDuring, printed, type SurvivalReport } from './report.js';
export { survive, type RunPlan } from './survival.js';
export type { SurvivalSettings } from './settings.js';
