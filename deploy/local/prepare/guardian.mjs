// Ends what its parent started if the parent dies without doing so (kill -9, a crash, a closed terminal). It is plain
// JavaScript so that it also runs from source. The parent talks to it over stdin, a line of JSON each:
//   {"watch": {"pid", "started", "signal", "graceMs", "label"}}   {"forget": pid}
//   {"remove": "/tmp/…"}   {"keep": "/tmp/…"}
// When stdin ends, whatever is still watched is ended, the last first, and then the paths are removed.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from './process-identity.mjs';

/** @type {Map<number, { pid: number, started: string, signal: NodeJS.Signals, graceMs: number }>} */
const watched = new Map();
/** @type {Set<string>} */
const paths = new Set();

// Only the end of the parent ends it: whoever signals the whole group must not take the guardian first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.watch) watched.set(message.watch.pid, message.watch);
  if (message.forget) watched.delete(message.forget);
  if (message.remove) paths.add(message.remove);
  if (message.keep) paths.delete(message.keep);
}

for (const one of [...watched.values()].reverse()) await end(one);
for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

/** @param {{ pid: number, started: string, signal: NodeJS.Signals, graceMs: number }} one */
async function end(one) {
  if (!signal(one, one.signal)) return;
  const deadline = Date.now() + one.graceMs;
  while (isAlive(one)) {
    if (Date.now() > deadline) return void signal(one, 'SIGKILL');
    await wait(50);
  }
}

/** @param {{ pid: number, started: string }} one @param {NodeJS.Signals} name */
function signal(one, name) {
  if (!isAlive(one)) return false;
  try {
    process.kill(one.pid, name);
    return true;
  } catch {
    return false;
  }
}
