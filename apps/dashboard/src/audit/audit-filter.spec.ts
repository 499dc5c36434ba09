import { describe, expect, it } from 'vitest';
import { auditFilterOf } from './audit-filter.js';

describe('an address that filters the audit log', () => {
  it('is read as the API takes it', () => {
    const search = { action: 'endpoint.created', actor: ' user:ada@example.com ', from: '2026-11-27T12:00:00+01:00' };
    expect(auditFilterOf(search)).toEqual({
      action: 'endpoint.created',
      actor: 'user:ada@example.com',
      from: '2026-11-27T11:00:00.000Z',
    });
  });

  it('loses what the API would refuse, and shows the rest', () => {
    const search = { action: '<b>', actor: 'a\u0000b', from: 'yesterday', to: '+012026-01-01T00:00:00Z' };
    expect(auditFilterOf(search)).toEqual({});
    expect(auditFilterOf({ ...search, actor: 'system' })).toEqual({ actor: 'system' });
    expect(auditFilterOf({ actor: '', action: '', from: undefined })).toEqual({});
  });
});
