import { expect, it } from 'vitest';
import { aDelivery, aForm, anEndpoint } from '../testing/factories.js';
import { targetOf } from './delivery-target.js';

const ERASED = new Set(['s_1']);
const GONE = { registered: false, deleted: true };
const DISABLED = [anEndpoint({ enabled: false })];

it.each([
  ['its form was deleted', aForm(GONE), 'form_deleted'],
  ['its form is in no workspace', aForm({ workspaceId: null }), 'form_deleted'],
  ['its submission was erased', aForm({ erasedSubmissions: ERASED }), 'submission_erased'],
  ['its endpoint was deleted', aForm({ endpoints: [anEndpoint({ id: 'we_2' })] }), 'endpoint_deleted'],
  ['its endpoint is switched off', aForm({ endpoints: DISABLED }), 'endpoint_disabled'],
  ['all of these', aForm({ ...GONE, endpoints: [], erasedSubmissions: ERASED }), 'form_deleted'],
  ['it was erased, and the endpoint too', aForm({ endpoints: [], erasedSubmissions: ERASED }), 'submission_erased'],
] as const)('a delivery is cancelled if %s', (_, form, reason) => {
  expect(targetOf(aDelivery(), form)).toEqual({ kind: 'cancelled', reason });
});

it('a delivery goes to its own endpoint among those of its form, in the name of its workspace', () => {
  const endpoint = anEndpoint();
  const form = aForm({ endpoints: [anEndpoint({ id: 'we_2' }), endpoint, anEndpoint({ id: 'we_3' })] });
  expect(targetOf(aDelivery(), form)).toEqual({ kind: 'endpoint', endpoint, workspaceId: 'ws_1' });
});

it('a delivery goes out although others of its form were erased', () => {
  expect(targetOf(aDelivery(), aForm({ erasedSubmissions: new Set(['s_2']) }))).toMatchObject({ kind: 'endpoint' });
});

it.each([
  ['its form is held back, or all', aForm({ paused: true })],
  ['its endpoint is held back', aForm({ endpoints: [anEndpoint({ paused: true }), anEndpoint({ id: 'we_2' })] })],
] as const)('a delivery waits if %s, a test and a replay as well', (_, form) => {
  for (const trigger of ['event', 'test', 'replay'] as const) {
    expect(targetOf(aDelivery({ trigger }), form)).toEqual({ kind: 'paused' });
  }
  expect(targetOf(aDelivery(), { ...form, deleted: true, registered: false })).toMatchObject({ kind: 'cancelled' });
});

it('a delivery goes out though another endpoint of its form is held back', () => {
  const form = aForm({ endpoints: [anEndpoint(), anEndpoint({ id: 'we_2', paused: true })] });
  expect(targetOf(aDelivery(), form)).toMatchObject({ kind: 'endpoint' });
});

it('a test goes out though its endpoint is switched off; a replay does not', () => {
  const form = aForm({ endpoints: DISABLED });
  expect(targetOf(aDelivery({ trigger: 'test' }), form)).toMatchObject({ kind: 'endpoint' });
  expect(targetOf(aDelivery({ trigger: 'replay' }), form)).toMatchObject({ reason: 'endpoint_disabled' });
});
