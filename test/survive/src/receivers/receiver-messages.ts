import type { BehaviourName } from './behaviours.js';

/** What the suite tells the receivers' process. */
export type ToReceivers =
  | { readonly kind: 'open'; readonly cert: string; readonly key: string; readonly recordFile: string }
  /** What new connections are shown from now on. */
  | { readonly kind: 'present'; readonly cert: string; readonly key: string }
  /** The secret that POSTs to a path are signed with. */
  | { readonly kind: 'secret'; readonly path: string; readonly secret: string }
  /** Report each answered POST to a path at once. */
  | { readonly kind: 'watch'; readonly path: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'flush' };

/** What the receivers' process tells the suite. */
export type FromReceivers =
  | { readonly kind: 'opened'; readonly ports: Readonly<Record<BehaviourName, number>> }
  | { readonly kind: 'presented' }
  | { readonly kind: 'arrived'; readonly path: string; readonly marker: number }
  | { readonly kind: 'counted'; readonly posts: number; readonly answered2xx: number }
  | { readonly kind: 'flushed' };
