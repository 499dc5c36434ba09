import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertForm } from '@form-webhooks/storage';
import { openDatabase } from '../support/config/config-database.js';
import { ConfigStage, type Answer } from '../support/config/config-stage.js';

const MANY = 16;

describe('calls at the same moment', () => {
  let stage: ConfigStage;

  beforeAll(async () => {
    stage = await ConfigStage.open({ REQUESTS_PER_MINUTE: '1200' });
  });
  afterAll(() => stage.close());

  const statusesOf = (answers: readonly Answer[]): number[] => [...new Set(answers.map(({ status }) => status))].sort();

  it('register a form once, and none of them fails', async () => {
    for (let round = 0; round < 5; round++) {
      const path = `/v1/forms/f_round_${round}`;
      const body = { workspace_id: `ws_round_${round}`, name: 'A form' };
      const answers = await Promise.all(Array.from({ length: MANY }, () => stage.call('PUT', path, { body })));
      expect(statusesOf(answers)).toEqual([200, 201]);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    }
  });

  it('insert a form once, whichever of its unique indexes notices the others first', async () => {
    const database = await openDatabase(stage.databaseUrl, MANY);
    const at = new Date();
    try {
      for (let round = 0; round < 60; round++) {
        const form = {
          id: `f_raced_${round}`,
          workspaceId: 'ws_raced',
          name: 'n',
          createdAt: at,
          updatedAt: at,
          deletedAt: null,
        };
        const inserted = await Promise.all(Array.from({ length: MANY }, () => insertForm(database.manager, form)));
        expect(inserted.filter(Boolean)).toHaveLength(1);
      }
    } finally {
      await database.destroy();
    }
  });

  it('count once each: 240 of one key are far from a limit of 1,200', async () => {
    const key = await stage.key('ws_counted', ['endpoints:read']);
    const form = await stage.form('ws_counted');
    const caller = async (): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (let n = 0; n < 15; n++) answers.push(await stage.call('GET', `/v1/forms/${form}/endpoints`, { key }));
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: MANY }, caller))).flat();
    expect(statusesOf(answers)).toEqual([200]);
  });
});
