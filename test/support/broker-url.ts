import { expect, inject } from 'vitest';
import { virtualHostOf } from './virtual-host.js';

/**
 * The run's broker, as `amqp://…` of a virtual host that belongs to this spec file alone: files run side by side, each
 * declares, fills and deletes the product's queues by their one and only names, and a message that one file left on a
 * delay would come out in the next.
 */
export function brokerUrl(): string {
  const { url, hasOthers } = inject('broker');
  return hasOthers ? `${url}/${virtualHostOf(expect.getState().testPath!)}` : url;
}
