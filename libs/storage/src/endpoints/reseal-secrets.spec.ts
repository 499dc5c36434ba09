import { randomBytes } from 'node:crypto';
import { KeyRing } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { resealSecrets } from './reseal-secrets.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

interface Row {
  workspace_id: string;
  endpoint_id: string;
  own: string;
  sealed: string;
  key_id: string;
}

/** A database with these secrets and no headers; remembers which key's rows were asked for. */
function databaseOf(secrets: Row[]) {
  const askedFor: unknown[] = [];
  const query = async (sql: string, values: readonly string[]): Promise<unknown> => {
    const rows = sql.includes('endpoint_secrets') ? secrets : [];
    if (sql.startsWith('SELECT DISTINCT')) {
      return [...new Set(rows.map((row) => row.key_id))].filter((id) => id !== values[0]).map((key_id) => ({ key_id }));
    }
    if (sql.startsWith('UPDATE')) {
      const row = secrets.find(({ own }) => own === values[1])!;
      [row.sealed, row.key_id] = [values[2]!, values[3]!];
      return [[], 1];
    }
    expect(sql).toContain('key_id = $1');
    askedFor.push(values[0]);
    return rows.filter((row) => row.key_id === values[0]).slice(0, 100);
  };
  const transaction = <T>(work: (tx: unknown) => Promise<T>): Promise<T> => work({ query });
  return { dataSource: { query, transaction } as unknown as DataSource, askedFor };
}

it('looks for the rows of one other key at a time, so that no batch passes by what is done already', async () => {
  const [k9, k8, k10] = [key('k9'), key('k8'), key('k10')];
  const secrets = Array.from({ length: 250 }, (_, index): Row => {
    const key_id = index < 150 ? 'k9' : 'k8';
    const own = `sec_${index}`;
    const sealed = new KeyRing(key_id === 'k9' ? k9 : k8).seal('whsec_x', {
      workspaceId: 'ws',
      endpointId: 'we',
      secretId: own,
    });
    return { workspace_id: 'ws', endpoint_id: 'we', own, sealed, key_id };
  });
  const { dataSource, askedFor } = databaseOf(secrets);
  const told: number[] = [];
  const ring = new KeyRing([k10, k9, k8].join(','));
  expect(await resealSecrets(dataSource, ring, (done) => void told.push(done))).toBe(250);
  expect(told).toEqual([100, 150, 250]);
  expect(askedFor).toEqual(['k9', 'k9', 'k9', 'k8', 'k8']);
  expect(secrets.every(({ key_id }) => key_id === 'k10')).toBe(true);
});
