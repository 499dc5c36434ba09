import type { FailureCause } from '@form-webhooks/domain/enumerations';
import type { TextId } from '../text/text.js';
import type { Step } from './series.js';

/** What people are told apart: errors that ask for the same repair are one kind. */
const KINDS: Readonly<Record<FailureCause, TextId>> = {
  '3xx': 'failure.3xx',
  '4xx': 'failure.4xx',
  '5xx': 'failure.5xx',
  invalid_url: 'failure.url',
  not_https: 'failure.url',
  address_not_allowed: 'failure.url',
  dns: 'failure.dns',
  connect: 'failure.connect',
  reset: 'failure.reset',
  aborted: 'failure.reset',
  tls: 'failure.tls',
  tls_expired: 'failure.tls',
  tls_name_mismatch: 'failure.tls',
  tls_untrusted: 'failure.tls',
  tls_protocol: 'failure.tls',
  timeout: 'failure.timeout',
  protocol: 'failure.protocol',
  header_overflow: 'failure.protocol',
  interim_flood: 'failure.protocol',
  unexpected_upgrade: 'failure.protocol',
};

/** What an attempt failed for, as people call it; what a later release may name is another. */
const failureKind = (cause: string): TextId =>
  Object.hasOwn(KINDS, cause) ? KINDS[cause as FailureCause] : 'failure.other';

/** Colours that are told apart; what is rarer than these kinds stands together. */
const TONES = ['bad', 'warning', 'busy', 'violet'] as const;

export interface FailureSeries {
  readonly kind: TextId;
  readonly tone: string;
  /** Failed attempts, step by step. */
  readonly values: readonly number[];
}

/** Failed attempts over time by kind, the most frequent first; the rarest together at the end. */
export function failureSeries(steps: readonly Step[]): FailureSeries[] {
  const kinds = new Map<TextId, number[]>();
  for (const [index, { failures }] of steps.entries()) {
    for (const { cause, attempts } of failures) {
      const kind = failureKind(cause);
      const values = kinds.get(kind) ?? steps.map(() => 0);
      values[index] = values[index]! + attempts;
      kinds.set(kind, values);
    }
  }
  const sorted = [...kinds].sort(([, a], [, b]) => total(b) - total(a));
  const [shown, rest] = [sorted.slice(0, TONES.length), sorted.slice(TONES.length)];
  const series = shown.map(([kind, values], index) => ({ kind, tone: TONES[index]!, values }));
  if (rest.length === 0) return series;
  const values = steps.map((_, index) => total(rest.map(([, one]) => one[index]!)));
  return [...series, { kind: 'failure.other', tone: 'calm', values }];
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
