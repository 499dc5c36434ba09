declare const brand: unique symbol;

/** Where a span stands: the text of W3C Trace Context's `traceparent`, version 00. */
export type TraceParent = string & { readonly [brand]: 'TraceParent' };

/** Any version but ff may add members behind these four; of such a one only these are taken on. */
const FORM = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const LONGEST = 128;
const LENGTH_OF_VERSION_00 = 55;
const SAMPLED = 1;

export interface TraceFacts {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/**
 * What a caller's `traceparent` says. Undefined if it is none, which must never be a reason to refuse what came with it.
 * [W3C Trace Context, 3.2 and 4.3]
 */
export function readTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  const [all, traceId, spanId, flags] = FORM.exec(value) ?? [];
  if (all === undefined || /^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  // Version 00 has nothing behind its flags.
  if (value.startsWith('00-') && value.length !== LENGTH_OF_VERSION_00) return undefined;
  return formatTraceParent({ traceId: traceId!, spanId: spanId!, sampled: (parseInt(flags!, 16) & SAMPLED) === 1 });
}

export const formatTraceParent = ({ traceId, spanId, sampled }: TraceFacts): TraceParent =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` as TraceParent;

export const traceFactsOf = (parent: TraceParent): TraceFacts => ({
  traceId: parent.slice(3, 35),
  spanId: parent.slice(36, 52),
  sampled: parent.endsWith('1'),
});
