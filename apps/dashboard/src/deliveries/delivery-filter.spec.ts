import { describe, expect, it } from 'vitest';
import { COUNTED, filterOf, isFiltered, queryOf, takenOf } from './delivery-filter.js';

describe('an address that filters the log', () => {
  it('is read as the API takes it', () => {
    const search = {
      state: 'failed',
      response_status: '503',
      response_class: '5xx',
      min_attempts: '3',
      reason: 'gone',
      from: '2026-11-27T12:00:00+01:00',
      endpoint_id: 'we_a-1',
    };
    expect(filterOf(search)).toEqual({
      state: 'failed',
      response_status: 503,
      response_class: '5xx',
      min_attempts: 3,
      reason: 'gone',
      from: '2026-11-27T11:00:00.000Z',
      endpoint_id: 'we_a-1',
    });
  });

  it('names one trigger or several, as the API takes them', () => {
    expect(filterOf({ trigger: 'test' })).toEqual({ trigger: ['test'] });
    expect(queryOf(filterOf({ trigger: 'replay, event,event' }))).toEqual({ trigger: ['event', 'replay'] });
    expect(filterOf({ trigger: 'event,mine' })).toEqual({ trigger: ['event'] });
    expect(filterOf({ trigger: 'mine' })).toEqual({});
    expect(filterOf({ trigger: ',' })).toEqual({});
  });

  it('leaves tests out where it leads from what statistics count', () => {
    expect(filterOf(COUNTED)).toEqual({ trigger: ['event', 'replay'] });
  });

  it('loses what the API would refuse, and shows the rest', () => {
    const search = {
      state: 'broken',
      response_status: '5xx',
      response_class: '6xx',
      min_attempts: '0',
      reason: 'mine',
      from: 'yesterday',
      error: 'timeout',
      text: '<b>',
    };
    expect(filterOf(search)).toEqual({ error: 'timeout' });
    expect(takenOf(search), 'its fields show the same').toEqual({ error: 'timeout', text: '<b>' });
    expect(isFiltered({ state: 'broken' })).toBe(false);
  });
});
