import { QUEUES } from '@form-webhooks/broker';
import { describe, expect, it } from 'vitest';
import { manifestOf } from './manifests.js';
import { namesIn } from './promql.js';
import { readText } from './repository.js';

interface Trigger {
  readonly type: string;
  readonly metricType?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

describe('KEDA scales dispatchers', () => {
  const { spec } = manifestOf<{ spec: { triggers: Trigger[] } }>('ScaledObject');
  const ofType = (type: string): Trigger[] => spec.triggers.filter((trigger) => trigger.type === type);
  const [age, ...others] = ofType('prometheus');

  it('by the depth of the queues that they take from', () => {
    expect(ofType('rabbitmq').map(({ metadata }) => metadata['queueName'])).toEqual([QUEUES.events, QUEUES.deliveries]);
  });

  it('by how long events and attempts have waited, whatever the number of dispatchers', () => {
    expect(others).toEqual([]);
    expect(age!.metricType).toBe('Value');
    const { metrics } = namesIn(age!.metadata['query']!);
    expect(metrics).toEqual(['webhook_attempt_late_seconds_bucket', 'webhook_event_wait_seconds_bucket']);
    const page = readText('docs/monitoring.md');
    for (const metric of metrics) expect(page).toContain(`\`${metric.replace('_bucket', '')}\``);
  });

  it('by a number also where nothing was measured, and by the larger of the two', () => {
    const query = age!.metadata['query']!;
    const [, inside] = /^max\( (.*) \)$/.exec(query)!;
    const sides = inside!.split(' or ');
    expect(sides).toHaveLength(3);
    expect(sides[2]).toBe('vector(0)');
    const kept = sides.slice(0, 2).map((side) => {
      expect(side).toMatch(/ >= 0$/);
      return /\bby \((\w+), le\)/.exec(side)![1];
    });
    // `or` drops what has the same labels as something on its left.
    expect(new Set(kept).size).toBe(2);
  });
});
