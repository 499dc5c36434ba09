/** What a receiver does with a POST. `refuses`: nobody listens any more. */
export type ReceiverKind = 'answers' | 'answers after 2 s' | 'answers after 200 ms' | 'hangs' | 'refuses';

/** Endpoints that get events together. */
export interface Group {
  readonly kind: ReceiverKind;
  readonly endpoints: number;
  /** How many origins they are spread over. */
  readonly origins: number;
  readonly endpointsPerForm: number;
  /** Deliveries a second, to all of them together. */
  readonly perSecond: number;
  /** Events that are queued at once when the others begin, instead of a rate. */
  readonly queued?: number;
}

export interface Scenario {
  readonly name: string;
  readonly others: readonly Group[];
}

/** Those of whom nothing bad is known, and whose waiting time is judged. */
export const HEALTHY: Group = { kind: 'answers', endpoints: 100, origins: 1, endpointsPerForm: 1, perSecond: 100 };

const group = (kind: ReceiverKind, endpoints: number, perSecond: number, more: Partial<Group> = {}): Group => ({
  ...{ kind, endpoints, perSecond, origins: Math.min(endpoints, 20), endpointsPerForm: 1 },
  ...more,
});

/** @param many endpoints where there are very many @param queued events of the form that has very many */
export const scenarios = (many: number, queued: number): readonly Scenario[] => [
  {
    name: '20 that hang, 10 that answer after 2 s',
    others: [group('hangs', 20, 80), group('answers after 2 s', 10, 20)],
  },
  { name: '200 that hang', others: [group('hangs', 200, 200)] },
  { name: `${many} that refuse`, others: [group('refuses', many, 100, { origins: 1, endpointsPerForm: 50 })] },
  { name: `${many} that hang, one origin`, others: [group('hangs', many, 100, { origins: 1, endpointsPerForm: 50 })] },
  {
    name: `${many} that hang, each an origin`,
    others: [group('hangs', many, 100, { origins: many, endpointsPerForm: 50 })],
  },
  { name: 'one endpoint at 1,000 a second', others: [group('answers', 1, 1_000)] },
  { name: `one form with ${queued} queued`, others: [group('answers after 200 ms', 1, 0, { queued })] },
];
