import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertNames, shortenedRules } from './shortened-rules.js';

const RULES = `
groups:
  - name: one
    rules:
      - { alert: Waits, expr: 'sum(rate(a_total[10m])) > 60', for: 6h, labels: { severity: info } }
      - { alert: Counts, expr: 'increase(b_total[1h]) > 0 and rate(b_total[5m]) > 0' }
      - { alert: Queues, expr: 'max(broker_queue_consumers) == 0', for: 5m }`;

it('nothing but times, ranges and the thresholds that are named is another than in the rules', () => {
  expect(alertNames(RULES)).toEqual(['Waits', 'Counts', 'Queues']);
  expect(parse(shortenedRules(RULES, { Waits: ['> 60', '> 5'] }))).toEqual({
    groups: [
      {
        name: 'one',
        rules: [
          { alert: 'Waits', expr: 'sum(rate(a_total[1m])) > 5', for: '2s', labels: { severity: 'info' } },
          { alert: 'Counts', expr: 'increase(b_total[1m]) > 0 and rate(b_total[1m]) > 0' },
          { alert: 'Queues', expr: 'max(broker_queue_consumers) == 0', for: '12s' },
        ],
      },
    ],
  });
});

it('a change that fits no alert, or not its expression, is refused: the rules are others than it was thought out for', () => {
  expect(() => shortenedRules(RULES, { Gone: ['> 60', '> 5'] })).toThrow('no such alerts: Gone');
  expect(() => shortenedRules(RULES, { Waits: ['> 90', '> 5'] })).toThrow('"> 90" is not once');
  expect(() => shortenedRules(RULES, { Counts: ['> 0', '> 5'] })).toThrow('"> 0" is not once');
});
