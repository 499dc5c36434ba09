import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchStack } from '../bench-stack.js';
import { EventPosts } from '../event-posts.js';
import { SteadyLoad } from '../isolation/steady-load.js';
import { residentBytes } from './memory.js';

const CONNECTIONS = 64;
const REST_MS = 2_000;

/** What an event takes of the broker while no dispatcher takes it; an event of 300 bytes of text. */
export interface WaitingEvent {
  readonly diskBytes: number;
  readonly memoryBytes: number;
}

/** Ends the dispatchers for good and lets events pile up. */
export async function waitingEvents(
  stack: BenchStack,
  forms: readonly string[],
  events: number,
): Promise<WaitingEvent> {
  await stack.stopAll('dispatcher');
  const folder = join(stack.folder.path, 'rabbitmq', 'data');
  const pid = stack.serverPid('rabbitmq');
  const [disk, memory] = [diskBytes(folder), residentBytes(pid)];
  const load = new SteadyLoad(
    new EventPosts(`${stack.ingestUrl}/v1/events`, stack.adminKey, CONNECTIONS),
    forms,
    's_wait',
  );
  await load.burst(events);
  await load.stop();
  await delay(REST_MS);
  return {
    diskBytes: (diskBytes(folder) - disk) / load.accepted.size,
    memoryBytes: (residentBytes(pid) - memory) / load.accepted.size,
  };
}

/** What the files below a folder take of the disk; files that go meanwhile count for nothing. */
function diskBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? diskBytes(path) : fileBytes(path));
  }, 0);
}

function fileBytes(path: string): number {
  try {
    return lstatSync(path).blocks * 512;
  } catch {
    return 0;
  }
}
