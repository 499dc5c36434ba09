import { afterEach, describe, expect, it } from 'vitest';
import { HealthServer } from './health-server.js';
import { Metrics } from './metrics.js';

let server: HealthServer | undefined;
afterEach(() => server?.stop());

async function serve(ready: boolean): Promise<string> {
  const metrics = new Metrics('example');
  metrics.counter('example_total', 'Examples.').inc(2);
  server = new HealthServer({
    host: '127.0.0.1',
    port: 0,
    metrics,
    readiness: { checks: () => ({ broker: ready }) },
  });
  return server.start();
}

describe('HealthServer', () => {
  it('is live and not ready while a check fails, and says which', async () => {
    const base = await serve(false);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const ready = await fetch(`${base}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'not ready', checks: { broker: false } });
  });

  it('is ready once every check holds', async () => {
    expect((await fetch(`${await serve(true)}/health/ready`)).status).toBe(200);
  });

  it('serves metrics in the Prometheus format', async () => {
    const response = await fetch(`${await serve(true)}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toContain('example_total{app="example"} 2');
  });

  it('says what it serves when asked for something else', async () => {
    const response = await fetch(`${await serve(true)}/`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('/health/ready');
  });
});
