import { anEvent } from '../support/config/delivery-log.js';
import { times, WORKS, type Fault } from './faults.js';

/** A config that is gone, or whose database is locked or away. */
export const FAULTS_OF_CONFIG: readonly Fault[] = [
  {
    what: 'config is stopped',
    alerts: ['ConfigSilent', 'IngestBusy'],
    make: async (stage, untilFired) => {
      const config = stage.stack.service('config');
      await config.stop();
      const unknownKey = { authorization: `Bearer ${'unknown'.repeat(6)}` };
      // Each is answered only after the seconds that config has for it: nothing else waits for that.
      const answers: Promise<unknown>[] = [];
      await untilFired(async () => {
        await stage.post(WORKS);
        answers.push(stage.stack.post('{}', unknownKey));
      });
      await config.start();
      await Promise.all(answers);
    },
  },
  {
    what: 'somebody locks tables',
    alerts: ['PoolExhausted', 'LogHandedBack', 'HandlersFail'],
    make: async (stage, untilFired) => {
      const release = await stage.lockTables('forms', 'events');
      const calls = times(12, () => stage.stack.api('GET', `/v1/forms/${WORKS}`).catch(() => undefined));
      await times(20, () => stage.tellLog([anEvent()]));
      await untilFired().finally(release);
      await calls;
    },
  },
  {
    what: 'the database is away',
    alerts: ['DatabaseAway', 'LogNotWritten', 'ApiFails'],
    make: async (stage, untilFired) => {
      await stage.databaseWay.cut();
      await stage.tellLog([anEvent()]);
      await untilFired(() => stage.stack.api('GET', `/v1/forms/${WORKS}`));
      await stage.databaseWay.mend();
    },
  },
];
