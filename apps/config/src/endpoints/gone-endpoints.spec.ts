import type { DeliveryId, EndpointId, FormId } from '@form-webhooks/domain';
import type { Transaction } from '@form-webhooks/storage';
import { expect, it } from 'vitest';
import { GoneEndpoints } from './gone-endpoints.js';

it('an endpoint that is gone is switched off at the moment of the database, as in all other changes', async () => {
  const NOW = new Date('2020-01-01T00:00:00Z');
  const written: unknown[] = [];
  const builder = {
    update: (): unknown => builder,
    set: (values: { readonly updatedAt: Date; readonly disabledAt: Date }): unknown => {
      written.push(values.updatedAt, values.disabledAt);
      return builder;
    },
    where: (): unknown => builder,
    returning: (): unknown => builder,
    execute: () => Promise.resolve({ raw: [] }),
  };
  const tx = { createQueryBuilder: () => builder, query: () => Promise.resolve([{ now: NOW }]) };
  await new GoneEndpoints().switchOff(tx as unknown as Transaction, [
    {
      formId: 'f_a' as FormId,
      endpointId: 'we_a' as EndpointId,
      endpointVersion: 1,
      deliveryId: 'dlv_a' as DeliveryId,
      answeredAt: 0,
    },
  ]);
  expect(written).toEqual([NOW, NOW]);
});
