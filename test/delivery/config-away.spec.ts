import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/** Longer than what waits for config waits at a time. */
const WAIT = { timeout: 90_000, interval: 50 };
const FORM = 'f_away';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({ env: { RETRY_SCHEDULE: '8s,3s,3s' } });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

const eventOf = (submission: string): string =>
  `{"event":"submission.created","form_id":"${FORM}","submission_id":"${submission}","fields":{}}`;

const counted = (name: string, labels: Record<string, string> = {}): Promise<number> =>
  sumOfSamples([stack.service('dispatcher')], name, labels);

it(
  'a dispatcher that starts while config is away keeps events and retries waiting, and uses up no try',
  { timeout: 180_000 },
  async () => {
    await stack.registerForm(FORM);
    let fails = true;
    await stack.createEndpoint(
      FORM,
      receiver.url('/away', (response) => void response.writeHead(fails ? 503 : 200).end()),
    );
    await stack.createEndpoint(FORM, receiver.url('/other', answer(200)));
    expect((await stack.post(eventOf('s_before'))).status).toBe(202);
    // Only what is in the log has its retry on a delay: one that is killed before has its event handed over again.
    const log = await StackLog.open(stack);
    const idsOf = (state: string): Promise<unknown[]> => log.idsWhere(FORM, `state = '${state}'`);
    await vi.waitFor(async () => {
      expect(await idsOf('retrying')).toHaveLength(1);
      expect(await idsOf('delivered')).toHaveLength(1);
    }, WAIT);
    expect(receiver.received('/away')).toHaveLength(1);

    // First, before the retry falls due: the stop of config takes as long as it takes.
    await stack.service('dispatcher').stop('SIGKILL');
    await stack.service('config').stop();
    await stack.service('dispatcher').start();
    fails = false;
    expect((await stack.post(eventOf('s_meanwhile'))).status).toBe(202);
    await vi.waitFor(async () => {
      expect(await counted('webhook_events_total', { outcome: 'waiting' })).toBeGreaterThan(0);
      expect(await counted('webhook_deferrals_total', { why: 'form_unknown' })).toBeGreaterThan(0);
      expect(await counted('webhook_config_silent_seconds')).toBeGreaterThan(0);
      expect(await counted('webhook_form_lookups_total', { result: 'unanswered' })).toBeGreaterThan(0);
    }, WAIT);
    expect(receiver.received('/away')).toHaveLength(1);

    await stack.service('config').start();
    await vi.waitFor(async () => expect(await idsOf('delivered')).toHaveLength(4), WAIT);
    expect(await log.repeatedTries()).toEqual([]);
    expect([receiver.received('/away').length, receiver.received('/other').length]).toEqual([3, 2]);
    // The failed try and the one after it, whatever was put off in between.
    expect(Math.max(...(await log.attemptsOf(FORM)).values())).toBe(2);
  },
);
