import { setTimeout as delay } from 'node:timers/promises';
import { nearestRank } from '@form-webhooks/domain';
import type { BenchStack } from '../bench-stack.js';
import { EventPosts } from '../event-posts.js';
import { Receivers } from './receivers.js';
import { HEALTHY, type Group, type Scenario } from './scenarios.js';
import { SteadyLoad } from './steady-load.js';

const CREATED_AT_A_TIME = 16;
const POSTS_AT_A_TIME = 256;
const FORMS_PER_WORKSPACE = 50;
/** What has not come this long after the last event was sent is missing. */
const LAST_WAIT_MS = 15_000;

/** How long the healthy ones are alone, together with the others, and alone again, s. */
export interface Lengths {
  readonly alone: number;
  readonly together: number;
  readonly after: number;
}

/** What healthy endpoints saw of one phase. */
export interface PhaseResult {
  readonly phase: string;
  readonly sent: number;
  readonly p50: number;
  readonly p99: number;
  readonly missing: number;
}

export interface ScenarioResult {
  readonly phases: readonly PhaseResult[];
  readonly othersSent: number;
  readonly refused: number;
}

/** Plays a scenario on a fresh stack. Phases are by the moment of the 202. */
export async function playScenario(stack: BenchStack, scenario: Scenario, lengths: Lengths): Promise<ScenarioResult> {
  const receivers = await Receivers.start(stack.authority);
  try {
    const healthy = await createForms(stack, 'healthy', HEALTHY, receivers);
    const others = await Promise.all(
      scenario.others.map(async (group, n) => ({
        group,
        ...(await createForms(stack, `other${n}`, group, receivers)),
      })),
    );
    for (const { group, ports } of others) if (group.kind === 'refuses') await receivers.close(ports);
    const timed = new SteadyLoad(doorOf(stack), healthy.forms, 's_timed');
    const sending = timed.run(HEALTHY.perSecond);
    await delay(2_000);
    const marks = [Date.now()];
    const next = async (seconds: number): Promise<void> => {
      await delay(seconds * 1_000);
      marks.push(Date.now());
    };
    await next(lengths.alone);
    const loads = others.map(({ group, forms }, n) => ({
      group,
      load: new SteadyLoad(doorOf(stack), forms, `s_other${n}`),
    }));
    const disturbing = loads.map(({ group, load }) =>
      group.queued === undefined ? load.run(group.perSecond / group.endpointsPerForm) : load.burst(group.queued),
    );
    for (const seconds of [1, 4, lengths.together - 5]) await next(seconds);
    await Promise.all(loads.map(({ load }) => load.stop()));
    await next(lengths.after);
    await Promise.all([timed.stop(), sending, ...disturbing]);
    const arrived = await arrivalsOf(receivers, timed.accepted);
    const names = ['alone', 'first second', 'to 5 s', 'steady', 'after'];
    return {
      phases: names.map((phase, n) => resultOf(phase, timed.accepted, arrived, [marks[n]!, marks[n + 1]!])),
      othersSent: loads.reduce((sum, { load }) => sum + load.accepted.size, 0),
      refused: timed.refused + loads.reduce((sum, { load }) => sum + load.refused, 0),
    };
  } finally {
    receivers.stop();
  }
}

const doorOf = (stack: BenchStack): EventPosts =>
  new EventPosts(`${stack.ingestUrl}/v1/events`, stack.adminKey, POSTS_AT_A_TIME);

/** Forms for the endpoints of a group. */
async function createForms(
  stack: BenchStack,
  name: string,
  group: Group,
  receivers: Receivers,
): Promise<{ forms: string[]; ports: readonly number[] }> {
  const { urls, ports } = await receivers.urlsOf(group);
  const count = Math.ceil(urls.length / group.endpointsPerForm);
  const forms = Array.from({ length: count }, (_, n) => `f_${name}_${n}`);
  for (const [n, form] of forms.entries()) {
    const workspace = `ws_${name}_${Math.floor(n / FORMS_PER_WORKSPACE)}`;
    await stack.api('PUT', `/v1/forms/${form}`, { workspace_id: workspace, name: form });
  }
  const open = urls.entries();
  const create = async (): Promise<void> => {
    for (const [n, url] of open) {
      await stack.api('POST', `/v1/forms/${forms[Math.floor(n / group.endpointsPerForm)]}/endpoints`, { url });
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_A_TIME }, create));
  return { forms, ports };
}

async function arrivalsOf(receivers: Receivers, sent: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const arrived = new Map<string, number>();
  const end = Date.now() + LAST_WAIT_MS;
  do {
    for (const [id, at] of await receivers.arrivals()) if (!arrived.has(id)) arrived.set(id, at);
    await delay(100);
  } while (Date.now() < end && [...sent.keys()].some((id) => !arrived.has(id)));
  return arrived;
}

function resultOf(
  phase: string,
  sent: ReadonlyMap<string, number>,
  arrived: ReadonlyMap<string, number>,
  [from, to]: readonly [number, number],
): PhaseResult {
  const ids = [...sent].filter(([, at]) => at >= from && at < to);
  const waits = ids
    .flatMap(([id, at]) => (arrived.has(id) ? [Math.max(0, arrived.get(id)! - at)] : []))
    .sort((a, b) => a - b);
  const [p50, p99] = [nearestRank(waits, 0.5), nearestRank(waits, 0.99)];
  return { phase, sent: ids.length, p50, p99, missing: ids.length - waits.length };
}
