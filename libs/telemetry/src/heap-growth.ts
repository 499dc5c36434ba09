import { setFlagsFromString } from 'node:v8';

/**
 * By default V8 lets the heap grow to several times what lives in it before it looks for garbage among older objects: a
 * dispatcher with a backlog, in which 60 MiB live, then takes 480 MiB. A fifth costs a few more collections, and makes
 * memory go with what a service holds. A limit of the whole heap would too, but ends the process that comes to it.
 */
export const HEAP_GROWTH = '--heap-growing-percent=100';

/** From here on the heap grows as `HEAP_GROWTH` says. A Node whose V8 no longer has that says so, and goes on without. */
export function limitHeapGrowth(): void {
  setFlagsFromString(HEAP_GROWTH);
}
