import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { QUEUES } from '@form-webhooks/broker';
import { Probe } from '../support/broker.js';
import { ConfigStage } from '../support/config/config-stage.js';

describe('a test send', () => {
  let stage: ConfigStage;
  let form: string;
  let endpoint: string;

  beforeAll(async () => {
    stage = await ConfigStage.open({ TEST_SENDS_PER_MINUTE: '5' });
    form = await stage.form('ws_one');
    const body = { url: 'https://a.example.com', enabled: false, events: ['draft.resumed'] };
    endpoint = (await stage.call('POST', `/v1/forms/${form}/endpoints`, { body })).body.id;
  });
  afterAll(() => stage.close());

  const send = (body?: object) => stage.call('POST', `/v1/forms/${form}/endpoints/${endpoint}/test`, { body });

  it('goes to this endpoint alone, also when it is disabled, and is found as pending at once', async () => {
    const probe = await Probe.open(brokerUrl());
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const got = await probe.collect(QUEUES.deliveries);
    const answer = await send({ event: 'payment.succeeded' });
    expect(answer.status).toBe(202);
    const { delivery_id, warnings } = answer.body;
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['endpoint_disabled', 'event_not_selected']);
    const listed = await stage.call('GET', `/v1/forms/${form}/deliveries?delivery_id=${delivery_id}`);
    expect(listed.body.items).toMatchObject([
      { delivery_id, state: 'pending', trigger: 'test', event: 'payment.succeeded', endpoint_id: endpoint },
    ]);
    await vi.waitFor(() => expect(got).toHaveLength(1), 20_000);
    expect(got[0]!.properties.headers).toMatchObject({ delivery_id, endpoint_id: endpoint, trigger: 'test', try: 0 });
    const tail = JSON.parse(`{${got[0]!.content.toString()}`);
    expect(tail).toMatchObject({
      form_id: form,
      submission_id: expect.stringMatching(/^s_test_/),
      payment: { status: 'succeeded', amount: 4_200, currency: 'eur' },
    });
  });

  it('has a sample of each event, the first by default', async () => {
    expect((await send()).status).toBe(202);
    const subscribed = await send({ event: 'draft.resumed' });
    expect(subscribed.status).toBe(202);
    expect(subscribed.body.warnings).toMatchObject([{ code: 'endpoint_disabled' }]);
    expect((await send({ event: 'form.deleted' })).status).toBe(422);
  });

  it('carries the fields that its sender writes, within bounds, and stays marked as a test', async () => {
    const probe = await Probe.open(brokerUrl());
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const got = await probe.collect(QUEUES.deliveries);
    const fields = { order: [1, { deep: 'ü' }], at: '2026-11-29T00:00:00Z' };
    const { delivery_id } = (await send({ event: 'draft.resumed', fields })).body;
    await vi.waitFor(() => expect(got).toHaveLength(1), 20_000);
    expect(JSON.parse(`{${got[0]!.content.toString()}`).fields).toEqual(fields);
    const listed = await stage.call('GET', `/v1/forms/${form}/deliveries?delivery_id=${delivery_id}&trigger=test`);
    expect(listed.body.items).toHaveLength(1);
    const long = await send({ fields: { text: 'ü'.repeat(33_000) } });
    expect([long.status, long.body.code]).toEqual([422, 'too_long']);
    for (const wrong of ['text', [1], null]) expect((await send({ fields: wrong })).status).toBe(422);
  });

  it('of an unknown endpoint is a 404 and costs no turn', async () => {
    const answer = await stage.call('POST', `/v1/forms/${form}/endpoints/we_unknown/test`);
    expect(answer.status).toBe(404);
  });

  it('may be asked for only so often in a minute', async () => {
    // One more is allowed each twelve seconds: those of the tests before count as far as they are not older.
    let [taken, answer] = [0, await send()];
    for (; answer.status === 202; answer = await send()) taken += 1;
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(taken).toBeLessThan(10);
  });
});
