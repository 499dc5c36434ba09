import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack } from '../bench-stack.js';
import { tables, writeFigures, type MeasuredFigures } from './figures.js';
import { logCost } from './log-cost.js';
import { formMemory, queueRate, retryQueueBytes } from './memory.js';
import { costFrom, PARTS, throughputOf, type Figures } from './model.js';
import { burst, type Burst } from './stack-costs.js';
import { waitingEvents } from './waiting-events.js';

/*
 * Measures what docs/sizing.md tells and the model reckons with, in some minutes: CPU is counted and not time, so that
 * other work on the machine changes less. Throughput is only for the check of the model, which is one from two
 * dispatchers on: with one it is reckoned from the very run that it would be held against.
 */

const { values } = parseArgs({
  options: {
    /** Of each burst; more make it more exact. */
    events: { type: 'string', default: '4000' },
    forms: { type: 'string', default: '1000' },
    dispatchers: { type: 'string', default: '1,2,4' },
    /** Keeps the figures, for the model. */
    write: { type: 'boolean', default: false },
  },
});

const EVENTS = Number(values.events);
const FORMS = 20;
/** For each dispatcher: until it is warm, a process takes twice as much of a core for a delivery. */
const WARM_UP_EVENTS = 1_500;
const ENDPOINTS = [1, 3] as const;
const MIB = 1_048_576;
const began = Date.now();

/** Endpoints are made by the thousand; the budgets for that are not what is measured. */
const ENV = {
  URL_CHECKS_PER_MINUTE: '100000',
  URL_CHECKS_AT_A_TIME: '16',
  REQUESTS_PER_MINUTE: '1000000',
  WORKSPACE_REQUESTS_PER_MINUTE: '1000000',
  FORM_RATE: '100000',
  FORM_BURST: '100000',
};

const say = (line: string): void => console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${line}`);

/** A stack with so many dispatchers; everything of it has ended when it resolves. */
async function withStack<T>(dispatchers: number, act: (stack: BenchStack) => Promise<T>): Promise<T> {
  const stack = await BenchStack.start(ENV, undefined, dispatchers);
  try {
    return await act(stack);
  } finally {
    await stack.stop();
  }
}

async function formsWith(stack: BenchStack, endpoints: number): Promise<string[]> {
  const forms = Array.from({ length: FORMS }, (_, n) => `f_size_${endpoints}_${n}`);
  const paths = Array.from({ length: endpoints }, (_, n) => `/e${n}`);
  for (const form of forms) await stack.form(form, paths);
  return forms;
}

async function bursts(stack: BenchStack, dispatchers: number, endpoints: number): Promise<Burst> {
  const forms = await formsWith(stack, endpoints);
  await burst(stack, forms, endpoints, WARM_UP_EVENTS * dispatchers);
  const found = await burst(stack, forms, endpoints, EVENTS);
  const parts = PARTS.map((part) => `${part} ${(found.cpuPerEvent[part] / endpoints).toFixed(2)}`).join(', ');
  say(
    `${dispatchers} dispatcher(s), ${endpoints} endpoint(s): ${found.perSecond.toFixed(0)} deliveries/s on ` +
      `${found.cores.toFixed(1)} cores; CPU ms a delivery: ${parts}`,
  );
  return found;
}

/** Everything but the bursts with more dispatchers. */
async function measureOne(
  stack: BenchStack,
): Promise<Omit<MeasuredFigures, 'measuredOn' | 'checks'> & { three: Burst }> {
  const [one, three] = [await bursts(stack, 1, ENDPOINTS[0]), await bursts(stack, 1, ENDPOINTS[1])];
  const through = (part: (typeof PARTS)[number]) =>
    costFrom(
      { endpoints: ENDPOINTS[0], cpu: one.cpuPerEvent[part] },
      { endpoints: ENDPOINTS[1], cpu: three.cpuPerEvent[part] },
    );
  const log = await logCost(stack, EVENTS * 3);
  say(`log: ${log.rowsPerSecond.toFixed(0)} rows a second`);
  const { perSecond: queueMessagesPerSecond, ownShare } = await queueRate(stack, EVENTS * 5);
  say(
    `one queue: ${queueMessagesPerSecond.toFixed(0)} messages a second; this program was busy for ${ownShare.toFixed(2)}`,
  );
  const memory = await formMemory(stack, Number(values.forms));
  const brokerMemoryPerRetryQueue = await retryQueueBytes(stack);
  say('memory');
  const waiting = await waitingEvents(stack, await formsWith(stack, 2), EVENTS);
  const perThousand = (bytes: number): number => Math.max(0, (bytes * 1_000) / MIB);
  return {
    three,
    costs: Object.fromEntries(PARTS.map((part) => [part, through(part)])) as unknown as Figures['costs'],
    logBytesPerDelivery: one.logBytesPerDelivery,
    walBytesPerDelivery: one.walBytesPerDelivery,
    brokerBytesPerEvent: waiting.diskBytes,
    brokerMemoryPerEvent: waiting.memoryBytes,
    brokerMemoryPerRetryQueue,
    queueMessagesPerSecond,
    logRowsPerSecond: log.rowsPerSecond,
    logRowCpu: log,
    memoryPerThousandForms: {
      dispatcher: perThousand(memory.dispatcher),
      config: perThousand(memory.config),
      ingest: perThousand(memory.ingest),
    },
  };
}

const loadBefore = loadavg()[0]!;
const { three, ...figures } = await withStack(1, measureOne);
const counts = values.dispatchers.split(',').map(Number);
const checks: MeasuredFigures['checks'][number][] = [];
for (const dispatchers of counts) {
  const found =
    dispatchers === 1 ? three : await withStack(dispatchers, (stack) => bursts(stack, dispatchers, ENDPOINTS[1]));
  const processes = { ingest: 1, dispatcher: dispatchers, config: 1 };
  const plan = { cores: found.cores, endpoints: ENDPOINTS[1], processes };
  const { perSecond: reckoned, bound } = throughputOf(figures, plan, found.othersPerDelivery);
  checks.push({ dispatchers, cores: found.cores, measured: found.perSecond, reckoned, bound });
}
const measuredOn = `${cpus().length} cores with a load of ${loadBefore.toFixed(1)} before it began, Node ${process.versions.node}`;
const all: MeasuredFigures = { ...figures, measuredOn, checks };
if (values.write) writeFigures(all);
console.log(`\n${tables(all)}`);
