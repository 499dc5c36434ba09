import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Node keeps the text of each map and, from the first stack on, thirty times as much. */
const MAX_MAP_BYTES = 512 * 1024;

const folderOf = (service: string): string => join(ROOT, 'apps', service, 'dist/bundle');
const bundleOf = (service: string): string => readFileSync(join(folderOf(service), 'main.js'), 'utf8');
const mapOf = (service: string): SourceMapPayload =>
  JSON.parse(readFileSync(join(folderOf(service), 'main.js.map'), 'utf8')) as SourceMapPayload;

/** What a stack with a frame in the line of the bundle that has this text would name. */
function placeOf(service: string, text: string): { source: string | undefined; line: string | undefined } {
  const index = bundleOf(service)
    .split('\n')
    .findIndex((line) => line.includes(text));
  expect(index, `the bundle of ${service} has ${text}`).toBeGreaterThan(0);
  const entry = new SourceMap(mapOf(service)).findEntry(index, text.length);
  if (!('originalSource' in entry)) return { source: undefined, line: undefined };
  const source = entry.originalSource as string | undefined;
  if (source === undefined) return { source, line: undefined };
  const lines = readFileSync(join(folderOf(service), source), 'utf8').split('\n');
  return { source: source.replace(/^(\.\.\/)+/, ''), line: lines[entry.originalLine] };
}

const SERVICES = ['ingest', 'dispatcher', 'config'];

it.each(SERVICES)('a stack in the bundle of %s names the line in TypeScript', (service) => {
  expect(placeOf(service, 'await runService(logger, ')).toEqual({
    source: 'src/main.ts',
    line: expect.stringContaining('await runService(logger, '),
  });
  expect(placeOf(service, 'function incoming(queue')).toEqual({
    source: 'libs/broker/src/consume/queue-consumer.ts',
    line: expect.stringContaining('function incoming(queue'),
  });
});

it.each(SERVICES)('a stack in the bundle of %s leaves the frames of packages where they are', (service) => {
  expect(placeOf(service, 'function stackCapture(reason)')).toEqual({ source: undefined, line: undefined });
});

it.each(SERVICES)('the maps of the bundle of %s are small, and tell of no package', (service) => {
  const maps = readdirSync(folderOf(service)).filter((name) => name.endsWith('.map'));
  expect(maps).toContain('main.js.map');
  for (const name of maps) {
    const text = readFileSync(join(folderOf(service), name), 'utf8');
    expect(text.length, name).toBeLessThan(MAX_MAP_BYTES);
    expect(text, name).not.toContain('node_modules');
  }
});
