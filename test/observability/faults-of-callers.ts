import { BrokerServer, QUEUES, rpcPattern } from '@form-webhooks/broker';
import { answer } from '../support/receiver.js';
import { times, WORKS, type Fault } from './faults.js';

/** More than one a second of the minute that is looked at. */
const GUESSES = 100;
const WRONG_KEY = { authorization: `Bearer ${'wrong'.repeat(8)}` };

/** Whatever else is delivered meanwhile makes it less than most that fails: it goes by itself. */
export const ENDPOINT_FAILS: Fault = {
  what: 'an endpoint takes nothing',
  alerts: ['MostAttemptsFail', 'RetriesFallBack'],
  make: async (stage, untilFired) => {
    // Not 5xx: an endpoint that answers so for seconds is paced, and soon hardly any attempt is left to fail.
    await stage.register('f_fails', stage.receiver.url('/fails', answer(408)));
    await untilFired(() => times(4, () => stage.post('f_fails')));
  },
};

/** What callers, receivers and intruders do wrong while every service works. */
export const FAULTS_OF_CALLERS: readonly Fault[] = [
  {
    what: 'a form service gives one key to different events',
    alerts: ['KeysReused'],
    make: async (stage, untilFired) => {
      for (const n of [1, 2]) await stage.post(WORKS, `,"meta":{"n":${n}},"idempotency_key":"the-same"`);
      await untilFired();
    },
  },
  {
    what: 'somebody guesses keys',
    alerts: ['EventsRefused', 'CallersRefused'],
    make: async ({ stack }, untilFired) => {
      await times(GUESSES, () => stack.post('{}', WRONG_KEY));
      await times(GUESSES, () => stack.api('GET', `/v1/forms/${WORKS}`, undefined, WRONG_KEY));
      await untilFired();
    },
  },
  {
    what: 'receivers are as slow as the slots are few',
    alerts: ['DispatchersFull'],
    make: async (stage, untilFired) => {
      const slowly = stage.receiver.url('/slow', (response) => {
        setTimeout(() => response.writeHead(200).end(), 600);
      });
      await stage.register('f_slow', slowly);
      await untilFired(() => times(4, () => stage.post('f_slow')));
    },
  },
  {
    what: 'somebody else answers for config',
    alerts: ['AnswersRefused'],
    make: async (stage, untilFired) => {
      const question = { form_id: WORKS };
      const genuine = await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', question, 10_000);
      const intruder = new BrokerServer(stage.broker);
      const forge = () => Promise.resolve({ ...genuine, now: Date.now() });
      intruder.addHandler(rpcPattern(QUEUES.configRpc, 'form_endpoints'), forge, false);
      intruder.listen(() => undefined);
      await untilFired(() => stage.post(WORKS));
      await intruder.close();
    },
  },
];
