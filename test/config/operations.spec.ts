import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUEUES } from '@form-webhooks/broker';
import { KeyRing, type DeliveryId, type EndpointId, type FormId } from '@form-webhooks/domain';
import {
  auditedWorkspaces,
  chainHash,
  resealSecrets,
  secretsByKey,
  verifyAuditChain,
  type DataSource,
  type VerifiedChain,
} from '@form-webhooks/storage';
import { GoneEndpoints } from '../../apps/config/src/endpoints/gone-endpoints.js';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, SECRET_KEYS, startableService } from '../support/config/config-stage.js';

describe('the audit chain', () => {
  let stage: ConfigStage;
  let dataSource: DataSource;
  let workspace: string;
  let count = 0;

  beforeAll(async () => {
    stage = await ConfigStage.open();
    dataSource = await openDatabase(stage.databaseUrl);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await stage.close();
  });

  beforeEach(async () => {
    workspace = `ws_${++count}`;
    for (let i = 0; i < 5; i++) await stage.form(workspace);
    await dataSource.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
  });
  afterEach(() => dataSource.query('ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only'));

  const verify = () => verifyAuditChain(dataSource, workspace);

  it('is intact while nobody meddles with it, and shows its head', async () => {
    expect(await auditedWorkspaces(dataSource)).toContain(workspace);
    expect(await verify()).toEqual({
      workspaceId: workspace,
      entries: 5,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each([
    [
      'a changed text',
      "UPDATE audit_entries SET text = replace(text, 'A form', 'B form')",
      3,
      'text or hash was changed',
    ],
    ['a changed column', "UPDATE audit_entries SET actor = 'user:nobody'", 3, 'column actor differs'],
    ['a removed entry', 'DELETE FROM audit_entries', 3, 'missing'],
    ['a changed hash', "UPDATE audit_entries SET hash = repeat('0', 64)", 3, 'text or hash was changed'],
  ])('shows %s, made as the owner of the table', async (_, statement, seq, words) => {
    await dataSource.query(`${statement} WHERE workspace_id = $1 AND seq = 3`, [workspace]);
    expect(await verify()).toEqual({ workspaceId: workspace, seq, what: expect.stringContaining(words) });
  });

  it('shows what was changed and computed anew, by a head that was kept', async () => {
    const known = (await verify()) as VerifiedChain;
    await stage.form(workspace);
    expect(await verifyAuditChain(dataSource, workspace, known)).toMatchObject({ entries: 6 });
    await computeAnew((text) => text.replace('A form', 'B form'));
    expect(await verify()).toMatchObject({ entries: 6 });
    expect(await verifyAuditChain(dataSource, workspace, known)).toMatchObject({
      seq: 5,
      what: expect.stringContaining('earlier verification'),
    });
  });

  it('shows that entries are gone that were there before, though the head was set back', async () => {
    const known = (await verify()) as VerifiedChain;
    await dataSource.query('DELETE FROM audit_entries WHERE workspace_id = $1 AND seq > 3', [workspace]);
    await computeAnew((text) => text);
    expect(await verify()).toMatchObject({ entries: 3 });
    expect(await verifyAuditChain(dataSource, workspace, known)).toMatchObject({
      seq: 4,
      what: 'entries up to 5 were there before',
    });
    await dataSource.query('DELETE FROM audit_entries WHERE workspace_id = $1', [workspace]);
    await dataSource.query('DELETE FROM audit_heads WHERE workspace_id = $1', [workspace]);
    expect(await verifyAuditChain(dataSource, workspace, known)).toMatchObject({
      seq: 0,
      what: 'the chain has no head',
    });
  });

  /** As somebody does who owns the table and knows how the chain is made. */
  async function computeAnew(change: (text: string) => string): Promise<void> {
    const rows: { seq: string; text: string }[] = await dataSource.query(
      'SELECT seq, text FROM audit_entries WHERE workspace_id = $1 ORDER BY audit_entries.seq',
      [workspace],
    );
    let hash = '';
    for (const { seq, text } of rows) {
      hash = chainHash(hash, change(text));
      await dataSource.query('UPDATE audit_entries SET text = $3, hash = $4 WHERE workspace_id = $1 AND seq = $2', [
        workspace,
        seq,
        change(text),
        hash,
      ]);
    }
    await dataSource.query('UPDATE audit_heads SET seq = $2, hash = $3 WHERE workspace_id = $1', [
      workspace,
      rows.length,
      hash,
    ]);
  }

  it('shows that its end was cut off', async () => {
    await dataSource.query('DELETE FROM audit_entries WHERE workspace_id = $1 AND seq > 3', [workspace]);
    expect(await verify()).toMatchObject({ seq: 4, what: expect.stringContaining('missing') });
  });
});

describe('a new sealing key', () => {
  const newKey = `k2:${randomBytes(32).toString('base64')}`;
  let stage: ConfigStage;
  let dataSource: DataSource;
  let form: string;
  const secrets: string[] = [];

  beforeAll(async () => {
    stage = await ConfigStage.open();
    dataSource = await openDatabase(stage.databaseUrl);
    form = await stage.form('ws_one');
    for (let i = 0; i < 4; i++) {
      const body = { url: 'https://a.example.com', allow_duplicate_url: true };
      secrets.push((await stage.call('POST', `/v1/forms/${form}/endpoints`, { body })).body.secret);
    }
  });
  afterAll(async () => {
    await dataSource.destroy();
    await stage.close();
  });

  it('keeps the service from starting without the keys that still seal something', async () => {
    const service = startableService(stage.databaseUrl, { SECRET_KEYS: newKey });
    await expect(service.start()).rejects.toThrow('"k1" (4 secrets)');
    await service.stop();
  });

  it('seals every secret anew, though interrupted and run twice at once', async () => {
    const ring = new KeyRing(`${newKey},${SECRET_KEYS}`);
    await expect(
      resealSecrets(dataSource, new KeyRing(newKey), () => undefined),
      'a ring without the old key changes nothing',
    ).rejects.toThrow('which SECRET_KEYS does not hold');
    expect(await secretsByKey(dataSource)).toEqual(new Map([['k1', 4]]));
    const done = await Promise.all([1, 2].map(() => resealSecrets(dataSource, ring, () => undefined)));
    expect(done[0]! + done[1]!).toBe(4);
    expect(await secretsByKey(dataSource)).toEqual(new Map([['k2', 4]]));
  });

  it('opens them all alone then, and they are the same', async () => {
    const reply = await stage.broker.rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: form }, 20_000);
    const ring = new KeyRing(newKey);
    const opened = reply.endpoints.map(({ id, secrets: [current] }) =>
      ring.open(current!.sealed, { workspaceId: 'ws_one', endpointId: id, secretId: current!.id }),
    );
    expect(opened).toEqual(secrets);
  });
});

it('a re-encryption that is interrupted between two of its transactions goes on where it was', async () => {
  const stage = await ConfigStage.open({ MAX_ENDPOINTS_PER_FORM: '60' });
  const dataSource = await openDatabase(stage.databaseUrl);
  try {
    const forms = [await stage.form('ws_many'), await stage.form('ws_many')];
    const body = { url: 'https://a.example.com', allow_duplicate_url: true };
    // Not all at once: a replica has some URLs of a workspace checked at a time, and a few wait their turn.
    for (let n = 0; n < 120; n += 10) {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, k) => stage.call('POST', `/v1/forms/${forms[k % 2]!}/endpoints`, { body })),
      );
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    }
    const ring = new KeyRing(`k2:${randomBytes(32).toString('base64')},${SECRET_KEYS}`);
    const interrupted = resealSecrets(dataSource, ring, () => {
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const halfway = await secretsByKey(dataSource);
    expect(halfway.get('k1')).toBeGreaterThan(0);
    expect(halfway.get('k2')).toBeGreaterThan(0);

    expect(await resealSecrets(dataSource, ring, () => undefined)).toBe(halfway.get('k1'));
    expect(await secretsByKey(dataSource)).toEqual(new Map([['k2', 120]]));
  } finally {
    await dataSource.destroy();
    await stage.close();
  }
});

describe('an endpoint whose receiver is gone', () => {
  it('is switched off by the system if nobody has changed it since, and everyone hears of it', async () => {
    const stage = await ConfigStage.open();
    try {
      const form = await stage.form('ws_one');
      const at = `/v1/forms/${form}/endpoints`;
      const { id } = (await stage.call('POST', at, { body: { url: 'https://a.example.com' } })).body;
      const dataSource = await openDatabase(stage.databaseUrl);
      const switchOff = (endpointVersion: number) =>
        dataSource.transaction((tx) => new GoneEndpoints().switchOff(tx, [{ ...answer, endpointVersion }]));
      const answer = {
        formId: form as FormId,
        endpointId: id as EndpointId,
        deliveryId: 'dlv_1' as DeliveryId,
        answeredAt: Date.now(),
      };
      await switchOff(2);
      expect((await stage.call('GET', `${at}/${id}`)).body).toMatchObject({ enabled: true, version: 1 });
      stage.notices.length = 0;
      await switchOff(1);
      await dataSource.destroy();
      const off = await stage.call('GET', `${at}/${id}`);
      expect(off.body).toMatchObject({ enabled: false, disabled_reason: 'gone', version: 2 });
      expect(off.body.disabled_at).toBe(off.body.updated_at);
      const audit = await stage.call('GET', '/v1/audit-log?workspace_id=ws_one&actor=system');
      expect(audit.body.items).toMatchObject([
        { action: 'endpoint.disabled', key_id: null, target: { type: 'endpoint', id }, form_id: form },
      ]);
      await expect.poll(() => stage.notices, { timeout: 30_000 }).toContainEqual({ kind: 'form', form_id: form });
      await stage.call('PATCH', `${at}/${id}`, { body: { enabled: true } });
      expect((await stage.call('GET', `${at}/${id}`)).body).toMatchObject({ enabled: true, disabled_reason: null });
    } finally {
      await stage.close();
    }
  });
});
