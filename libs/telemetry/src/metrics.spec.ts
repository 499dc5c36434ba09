import { expect, it } from 'vitest';
import { Metrics } from './metrics.js';

async function samplesOf(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.render()).split('\n');
  return lines.filter((line) => line.startsWith(`${name}{`));
}

it('each process says which replica of which version it is', async () => {
  const [info, ...others] = await samplesOf(new Metrics('example'), 'service_info');
  expect(info).toMatch(/^service_info\{replica="[^"]+:\d+",version="\d+\.\d+\.\d+",app="example"\} 1$/);
  expect(others).toEqual([]);
});

it('how busy a process is shows in how fast its busy time grows', async () => {
  const metrics = new Metrics('example');
  const busySeconds = async (): Promise<number> =>
    Number((await samplesOf(metrics, 'service_busy_seconds_total'))[0]!.split(' ')[1]);
  const before = await busySeconds();
  await new Promise((resolve) => setImmediate(resolve));
  const began = performance.now();
  while (performance.now() - began < 50);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await busySeconds()) - before).toBeGreaterThanOrEqual(0.05);
});

it('what is watched is asked for at each scrape, and shown no longer once it is gone', async () => {
  const metrics = new Metrics('example');
  let held = ['a', 'b'];
  metrics.watchEach('held', 'What is held.', ['what'], () =>
    held.map((what) => ({ labels: { what }, value: held.length })),
  );
  metrics.watch('many', 'How many.', () => held.length);
  expect(await samplesOf(metrics, 'held')).toEqual([
    'held{what="a",app="example"} 2',
    'held{what="b",app="example"} 2',
  ]);
  held = ['b'];
  expect(await samplesOf(metrics, 'held')).toEqual(['held{what="b",app="example"} 1']);
  expect(await samplesOf(metrics, 'many')).toEqual(['many{app="example"} 1']);
});

it('a count that somebody else keeps is shown as it stands, however often it is scraped', async () => {
  const metrics = new Metrics('example');
  const counts = { good: 2, bad: 0 };
  metrics.watchCount('ends_total', 'Ends.', ['end'], () =>
    Object.entries(counts).map(([end, value]) => ({ labels: { end }, value })),
  );
  await metrics.render();
  counts.good += 1;
  expect(await samplesOf(metrics, 'ends_total')).toEqual([
    'ends_total{end="good",app="example"} 3',
    'ends_total{end="bad",app="example"} 0',
  ]);
});
