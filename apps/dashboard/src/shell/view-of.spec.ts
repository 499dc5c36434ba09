import { describe, expect, it } from 'vitest';
import { formShownAt, viewOf } from './view-of.js';

describe('the view that an address shows', () => {
  it('is another for an endpoint than for the list it was opened from', () => {
    expect(viewOf('/forms/f_1/endpoints/we_1')).not.toBe(viewOf('/forms/f_1/endpoints'));
    expect(viewOf('/forms/f_1/replays/rp_1')).not.toBe(viewOf('/forms/f_1/deliveries'));
    expect(viewOf('/forms/f_2/endpoints')).not.toBe(viewOf('/forms/f_1/endpoints'));
  });

  it('is the log, with or without a delivery beside it', () => {
    expect(viewOf('/forms/f_1/deliveries/dlv_1')).toBe(viewOf('/forms/f_1/deliveries'));
    expect(viewOf('/forms/f_1/deliveries/dlv_1')).toBe(viewOf('/forms/f_1/deliveries/dlv_2'));
  });
});

describe('the form whose endpoints an address shows', () => {
  it.each([
    ['/dashboard', 'f_own'],
    ['/dashboard/', 'f_own'],
    ['/dashboard/forms/f_other', 'f_other'],
    ['/dashboard/forms/f_other/', 'f_other'],
    ['/dashboard/forms/f_other/endpoints', 'f_other'],
    ['/dashboard/forms/f_other/endpoints/', 'f_other'],
    ['/dashboard/forms/f_other/endpoints/we_1', undefined],
    ['/dashboard/forms/f_other/deliveries', undefined],
    ['/dashboard/forms/not-one/endpoints', undefined],
  ])('of %s is %s', (path, form) => expect(formShownAt(path, 'f_own')).toBe(form));
});
