import type { EndpointSnapshot } from '@form-webhooks/messages';

/** A form's endpoints as a dispatcher uses them. */
export interface FormEndpoints {
  readonly registered: boolean;
  readonly deleted: boolean;
  /** True if config's database has lost it, see `RegisteredForms`; absent if not. */
  readonly missing?: boolean;
  readonly workspaceId: string | null;
  /** An operator holds back the form's deliveries, or all; absent if not. */
  readonly paused?: boolean;
  readonly endpoints: ReadonlyMap<string, EndpointSnapshot>;
  readonly erasedSubmissions: ReadonlySet<string>;
  /** Endpoints that were asked about and of which config's database knows nothing; absent if none was. */
  readonly unknownEndpoints?: ReadonlySet<string>;
  /** Of a generation that began before this, the list can't tell whether its submission was erased, ms; or of any. */
  readonly erasuresListedSince: number;
  /** When config gave this answer, by this process's clock, ms since the epoch. */
  readonly fetchedAt: number;
}

/**
 * Config can't be asked or its answer is not to be trusted, and nothing is cached: whoever needs the answer waits on a
 * delay queue.
 */
export class FormUnknown extends Error {
  override readonly name = 'FormUnknown';
}
