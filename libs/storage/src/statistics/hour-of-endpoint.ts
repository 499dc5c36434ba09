import { compareText } from '@form-webhooks/domain';

/** What every row of a roll-up is of. */
export interface HourOfEndpoint {
  readonly form_id: string;
  readonly endpoint_id: string;
  /** When it begins, ms since the epoch. */
  readonly hour: number;
}

/** The order in which all writers lock the rows of a roll-up. */
export const byHourOfEndpoint = (a: HourOfEndpoint, b: HourOfEndpoint): number =>
  compareText(a.form_id, b.form_id) || compareText(a.endpoint_id, b.endpoint_id) || a.hour - b.hour;
