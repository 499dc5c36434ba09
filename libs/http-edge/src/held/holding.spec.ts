import { describe, expect, it } from 'vitest';
import { Holding } from './holding.js';

describe('Holding', () => {
  it('has room up to its bound, and gets it back', () => {
    const holding = new Holding(100);
    const lease = holding.take(60);
    expect(holding.take(41)).toBeUndefined();
    expect(holding.held).toBe(60);
    lease!.end();
    expect(holding.held).toBe(0);
    expect(holding.take(100)).toBeDefined();
  });

  it('gets what was taken back once, however often its lease is ended', () => {
    const holding = new Holding(2);
    const lease = holding.take();
    holding.take();
    lease!.end();
    lease!.end();
    expect(holding.held).toBe(1);
  });

  it('keeps what work still uses until that ends, also if it fails', async () => {
    const holding = new Holding(1);
    const lease = holding.take()!;
    let fail: (error: Error) => void = () => undefined;
    const work = lease.during(() => new Promise<void>((_resolve, reject) => (fail = reject)));
    lease.end();
    expect(holding.held).toBe(1);
    fail(new Error('no'));
    await expect(work).rejects.toThrow('no');
    expect(holding.held).toBe(0);
  });
});
