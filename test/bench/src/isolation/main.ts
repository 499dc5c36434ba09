import { parseArgs } from 'node:util';
import { BenchStack } from '../bench-stack.js';
import { playScenario, type PhaseResult } from './play-scenario.js';
import { HEALTHY, scenarios } from './scenarios.js';

const { values } = parseArgs({
  options: {
    dispatchers: { type: 'string', default: '1,3' },
    many: { type: 'string', default: '5000' },
    queued: { type: 'string', default: '100000' },
    together: { type: 'string', default: '30' },
    /** Only the scenario whose name contains this. */
    only: { type: 'string', default: '' },
  },
});
const lengths = { alone: 10, together: Number(values.together), after: 10 };
const chosen = scenarios(Number(values.many), Number(values.queued)).filter(({ name }) => name.includes(values.only));
/** Thousands of endpoints are created, each after a check of its URL; the budgets for that are not what is measured. */
const env = {
  MAX_ENDPOINTS_PER_FORM: '100',
  URL_CHECKS_PER_MINUTE: '100000',
  URL_CHECKS_AT_A_TIME: '16',
  REQUESTS_PER_MINUTE: '1000000',
  WORKSPACE_REQUESTS_PER_MINUTE: '1000000',
};

/** The bar: one and a half times what it is without the others, or 100 ms. */
const barOf = (alone: PhaseResult): number => Math.max(1.5 * alone.p99, 100);

for (const dispatchers of values.dispatchers.split(',').map(Number)) {
  for (const scenario of chosen) {
    const stack = await BenchStack.start(env, undefined, dispatchers);
    try {
      const { phases, othersSent, refused } = await playScenario(stack, scenario, lengths);
      const bar = barOf(phases[0]!);
      console.log(`\n${scenario.name}; ${dispatchers} dispatcher(s); ${HEALTHY.endpoints} healthy endpoints`);
      for (const { phase, sent, p50, p99, missing } of phases) {
        const judged = phase === 'alone' || phase === 'first second' ? '' : p99 <= bar && missing === 0 ? 'ok' : 'over';
        console.log(`  ${phase.padEnd(14)} sent ${sent}, p50 ${p50} ms, p99 ${p99} ms, missing ${missing} ${judged}`);
      }
      console.log(`  bar ${bar} ms; others got ${othersSent} events; ${refused} refused; ${await memoryOf(stack)}`);
    } finally {
      await stack.stop();
    }
  }
}

async function memoryOf(stack: BenchStack): Promise<string> {
  const text = await (await fetch(`${stack.healthUrls.get('dispatcher')}/metrics`)).text();
  const bytes = Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1]);
  const deferrals = [...text.matchAll(/^webhook_deferrals_total\S* (\S+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
  return `dispatcher ${(bytes / 1_048_576).toFixed(0)} MiB, ${deferrals} deferrals`;
}
