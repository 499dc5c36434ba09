import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import got from 'got';

/*
 * The yardstick: one process that POSTs the same body over kept-alive TLS connections, 64 in flight, and does nothing
 * else. It prints how many it made per second.
 */
const IN_FLIGHT = 64;
const { BENCH_URL, BENCH_CA_FILE, BENCH_SECONDS, BENCH_BYTES } = process.env as Record<string, string>;
const body = Buffer.from(JSON.stringify({ fields: { text: 'x'.repeat(Number(BENCH_BYTES)) } }));
const client = got.extend({
  agent: { https: new Agent({ keepAlive: true, maxSockets: IN_FLIGHT }) },
  https: { certificateAuthority: readFileSync(BENCH_CA_FILE!) },
  retry: { limit: 0 },
  headers: { 'content-type': 'application/json' },
});

const end = Date.now() + Number(BENCH_SECONDS) * 1_000;
const began = process.hrtime.bigint();
let made = 0;
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    while (Date.now() < end) {
      await client.post(BENCH_URL!, { body });
      made += 1;
    }
  }),
);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ perSecond: made / seconds, cpuMsEach: (user + system) / 1_000 / made }));
