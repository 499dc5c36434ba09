import { describe, expect, it } from 'vitest';
import { readBrokerVersion } from './broker-version.js';

describe('the version of a broker', () => {
  it.each([
    ['3.9.29', 'too_old'],
    ['3.8.0', 'too_old'],
    ['2.8.7', 'too_old'],
    ['3.10.0', 'supported'],
    ['3.10.8', 'supported'],
    ['3.13.7', 'supported'],
    ['4.0.9', 'supported'],
    ['4.2.1+5.gabc', 'supported'],
    ['4.3.0-rc.1', 'supported'],
    ['5.0.0', 'unknown'],
    ['3', 'unknown'],
    ['', 'unknown'],
  ] as const)('%s is %s', (version, verdict) => {
    expect(readBrokerVersion({ product: 'RabbitMQ', version })).toEqual({ text: `RabbitMQ ${version}`, verdict });
  });

  it('of another product, or of none, is unknown', () => {
    expect(readBrokerVersion({ product: 'LavinMQ', version: '2.0.0' }).verdict).toBe('unknown');
    expect(readBrokerVersion({}).verdict).toBe('unknown');
    expect(readBrokerVersion({ product: 'RabbitMQ', version: 3.9 }).verdict).toBe('unknown');
  });
});
