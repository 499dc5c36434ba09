import { UnfitRole } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { migrationFailure } from './migrate.js';

describe('what keeps a schema from being migrated', () => {
  const role = async (): Promise<string> => 'form_webhooks_config';

  it('is told with the role that lacks a right, and which variable names the one that has it', async () => {
    const denied = Object.assign(new Error('permission denied for schema public'), { code: '42501' });
    expect(await migrationFailure(denied, 'DATABASE_URL', role)).toMatchObject({
      exitCode: 3,
      message: 'the role form_webhooks_config in DATABASE_URL may not do it: permission denied for schema public',
      advice: 'name the owner of the tables in MIGRATION_DATABASE_URL',
    });
  });

  it('is told of a role that is not there with how to make one', async () => {
    const advice = expect.stringContaining('DATABASE_RUNTIME_ROLE') as unknown;
    const unfit = await migrationFailure(new UnfitRole('there is no role x in this database'), 'DATABASE_URL', role);
    expect(unfit).toMatchObject({ exitCode: 3, message: 'there is no role x in this database', advice });
  });

  it('is left as it is if it is anything else', async () => {
    const other = Object.assign(new Error('disk full'), { code: '53100' });
    expect(await migrationFailure(other, 'DATABASE_URL', role)).toBe(other);
  });
});
