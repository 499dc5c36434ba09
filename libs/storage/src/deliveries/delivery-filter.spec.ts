import { describe, expect, it } from 'vitest';
import { stateGroups, type DeliveryFilter } from './delivery-filter.js';

describe('the states in which a search looks', () => {
  const UNDELIVERED = ["state IN ('pending', 'retrying')", "state IN ('failed', 'cancelled')"];

  it.each<[DeliveryFilter, readonly string[] | null]>([
    [{}, null],
    [{ responseStatus: 200 }, null],
    [{ responseClass: 2 }, null],
    [{ responseStatus: 503 }, UNDELIVERED],
    [{ responseClass: 4 }, UNDELIVERED],
    [{ error: 'dns' }, UNDELIVERED],
    [{ error: 'dns', states: ['failed'] }, ["state IN ('failed')"]],
    [{ reasons: ['endpoint_disabled'] }, ["state IN ('cancelled')"]],
    [{ reasons: ['gone'], error: 'dns' }, ["state IN ('failed')"]],
    [{ reasons: ['gone', 'discarded'] }, ["state IN ('failed', 'cancelled')"]],
    [{ reasons: ['gone'], states: ['cancelled'] }, ["state IN ('cancelled')"]],
  ])('for %j are %j', (filter, groups) => expect(stateGroups(filter)).toEqual(groups));

  it('are all where the last answer was a redirect: an endpoint may take one for received', () => {
    expect([stateGroups({ responseStatus: 302 }), stateGroups({ responseClass: 3 })]).toEqual([null, null]);
  });
});
