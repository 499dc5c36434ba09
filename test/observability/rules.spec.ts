import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prometheusPrograms, type PrometheusPrograms } from '@form-webhooks/local';
import { beforeAll, expect, it } from 'vitest';

const ROOM = join(import.meta.dirname, '../../deploy/observability');
const run = promisify(execFile);

let programs: PrometheusPrograms;
beforeAll(async () => {
  programs = await prometheusPrograms((line) => console.log(line));
}, 600_000);

const promtool = async (...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await run(programs.promtool, [...args], { cwd: ROOM, timeout: 120_000 });
  return stdout + stderr;
};

it('Prometheus reads the rules and the configuration that names them', async () => {
  expect(await promtool('check', 'rules', 'rules.yaml')).toContain('SUCCESS');
  expect(await promtool('check', 'config', 'prometheus.yaml')).toContain('SUCCESS');
});

it('each alert is silent as long as it should be, and fires then', async () => {
  expect(await promtool('test', 'rules', 'rules.test.yaml')).toContain('SUCCESS');
}, 180_000);
