import { given, matching, momentOf } from '../text/read-address.js';

/** What the address can say of which entries are shown, each a text. */
export type AuditSearch = Readonly<Record<string, string | undefined>>;

/** The same as the API takes it. */
export interface AuditFilter {
  readonly action?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Reads an address, which anybody may have written: what the API would refuse is left out. */
export const auditFilterOf = ({ action, actor, from, to }: AuditSearch): AuditFilter =>
  given({
    action: matching(/^[\w.]{1,100}$/, action),
    actor: matching(/^[^\p{Cc}\p{Surrogate}]{1,300}$/u, actor),
    from: momentOf(from),
    to: momentOf(to),
  });
