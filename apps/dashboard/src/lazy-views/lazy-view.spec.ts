import { createElement, type ComponentType } from 'react';
import { describe, expect, it } from 'vitest';
import { lazyView, ViewNotLoaded, type LazyView } from './lazy-view.js';

const View: ComponentType = () => null;

/** What a view is shown as once its code was asked for: an element of the view, or what it throws. */
const shownOf = (lazy: LazyView): unknown => lazy({});

describe('a view whose code comes later', () => {
  it('is loaded once and then shown', async () => {
    let loads = 0;
    const lazy = lazyView(() => Promise.resolve().then(() => (loads++, View)));
    await Promise.all([lazy.preload(), lazy.preload()]);
    await lazy.preload();
    expect(shownOf(lazy)).toEqual(createElement(View));
    expect(loads).toBe(1);
  });

  it('tells that its code did not come, and is shown once it did', async () => {
    let isDown = true;
    const lazy = lazyView(() => (isDown ? Promise.reject(new Error('offline')) : Promise.resolve(View)));
    await lazy.preload();
    const thrown = (() => {
      try {
        return shownOf(lazy);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(ViewNotLoaded);
    await (thrown as ViewNotLoaded).again();
    expect(() => shownOf(lazy)).toThrow(ViewNotLoaded);
    isDown = false;
    await (thrown as ViewNotLoaded).again();
    expect(shownOf(lazy)).toEqual(createElement(View));
  });
});
