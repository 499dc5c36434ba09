import { inject } from 'vitest';

/**
 * The run's broker, as `amqp://…` of a virtual host that no other spec file uses at the same time: files run side by side,
 * and each declares, fills and deletes the product's queues by their one and only names.
 */
export function brokerUrl(): string {
  const hosts = inject('brokerUrls');
  const worker = Number(process.env['VITEST_POOL_ID'] ?? '1');
  const url = hosts[worker - 1];
  if (url === undefined) throw new Error(`there is no virtual host for worker ${worker} of ${hosts.length}`);
  return url;
}
