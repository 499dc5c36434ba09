import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answer, Receiver } from '../support/receiver.js';
import { Stack } from '../support/stack.js';

const WAIT = { timeout: 50_000, interval: 20 };
vi.setConfig({ testTimeout: 120_000 });
/** More than a dispatcher is told of with a form's endpoints. */
const MANY = 5_000;

// They wait for the same ten seconds.
describe.concurrent('while a delivery waits for its retry', () => {
  let stack: Stack;
  let receiver: Receiver;
  let database: pg.Client;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stack = await Stack.start({ env: { RETRY_SCHEDULE: '100ms' } });
    database = new pg.Client(stack.service('config').env['DATABASE_URL']);
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await stack?.stop();
    await receiver?.stop();
  });

  /** A form whose endpoint has failed once for each of these submissions, and would get the retry after ten seconds. */
  async function failedOnce(formId: string, ...submissions: readonly string[]): Promise<void> {
    await stack.registerForm(formId);
    await stack.createEndpoint(formId, receiver.url(`/${formId}`, answer(503, { 'retry-after': '10' })));
    for (const id of submissions) {
      const event = `{"event":"submission.created","form_id":"${formId}","submission_id":"${id}","fields":{}}`;
      expect((await stack.post(event)).status).toBe(202);
    }
    await vi.waitFor(() => expect(receiver.received(`/${formId}`)).toHaveLength(submissions.length), WAIT);
  }

  const deliveryOf = async (formId: string, submissionId: string) => {
    const { body } = await stack.api('GET', `/v1/forms/${formId}/deliveries?submission_id=${submissionId}`);
    return body.items[0];
  };
  const final = (formId: string, submissionId: string, state: string) =>
    vi.waitFor(async () => {
      const delivery = await deliveryOf(formId, submissionId);
      expect(delivery?.state).toBe(state);
      return delivery;
    }, WAIT);

  it.each([
    ['', 'f_few', 0],
    [', also where a form had more erasures than a dispatcher is told of', 'f_many', MANY],
  ])('the erasure of its submission cancels it, and no other%s', async (_, formId, further) => {
    await failedOnce(formId, 's_erased', 's_other');
    const erased = await stack.api('DELETE', `/v1/forms/${formId}/submissions/s_erased/data`);
    expect(erased.status).toBe(204);
    // All newer, and announced by the erasure of one more as each erasure is.
    await database.query(
      `INSERT INTO erased_submissions (form_id, submission_id, requested_at, erased_at)
       SELECT $1, 's_more' || n, now() + interval '1 second', now() FROM generate_series(1, $2::int) n`,
      [formId, further],
    );
    await stack.api('DELETE', `/v1/forms/${formId}/submissions/s_last/data`);
    expect(await final(formId, 's_erased', 'cancelled')).toMatchObject({
      reason: 'submission_erased',
      attempt_count: 1,
    });
    expect(await final(formId, 's_other', 'failed')).toMatchObject({ reason: 'exhausted', attempt_count: 2 });
    expect(receiver.received(`/${formId}`)).toHaveLength(3);
  });

  it('the removal of its form cancels it', async () => {
    await failedOnce('f_removed', 's_1');
    expect((await stack.api('DELETE', '/v1/forms/f_removed')).status).toBe(204);
    await vi.waitFor(async () => {
      const { rows } = await database.query("SELECT state, reason FROM deliveries WHERE form_id = 'f_removed'");
      expect(rows).toEqual([{ state: 'cancelled', reason: 'form_deleted' }]);
    }, WAIT);
    expect(receiver.received('/f_removed')).toHaveLength(1);
    const { body } = await stack.api('GET', `/v1/audit-log?workspace_id=${stack.workspaceId}&form_id=f_removed`);
    expect(body.items[0]).toMatchObject({ action: 'form.removed', target: { type: 'form', id: 'f_removed' } });
  });

  it('what came for a form that nobody has registered can be erased by those who belong to no workspace', async () => {
    await database.query(`INSERT INTO events (event_id, day, event, form_id, submission_id, accepted_at, tail)
      VALUES ('evt_nobody', current_date, 'submission.created', 'f_nobody', 's_1', now(), '\\x7b7d')`);
    const path = '/v1/forms/f_nobody/submissions/s_1/data';
    expect((await stack.api('DELETE', path)).status).toBe(204);
    const { rows } = await database.query(`SELECT tail IS NOT NULL AS held FROM events WHERE form_id = 'f_nobody'`);
    expect(rows).toEqual([{ held: false }]);
    const entries = await database.query(`SELECT workspace_id FROM audit_entries WHERE form_id = 'f_nobody'`);
    expect(entries.rows).toEqual([{ workspace_id: '-' }]);
  });

  it('its data can be erased also after the removal of its form', async () => {
    await failedOnce('f_gone', 's_1');
    expect((await stack.api('DELETE', '/v1/forms/f_gone')).status).toBe(204);
    const stored = async () =>
      (await database.query("SELECT tail IS NOT NULL AS held FROM events WHERE form_id = 'f_gone'")).rows;
    await vi.waitFor(async () => expect(await stored()).toEqual([{ held: true }]), WAIT);
    expect((await stack.api('DELETE', '/v1/forms/f_gone/submissions/s_1/data')).status).toBe(204);
    expect(await stored()).toEqual([{ held: false }]);
    // Everything else knows it no more.
    expect((await stack.api('GET', '/v1/forms/f_gone/deliveries')).status).toBe(404);
  });
});
