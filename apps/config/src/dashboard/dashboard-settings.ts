import { asDuration, asText, Setting } from '@form-webhooks/settings';

const MINUTE_MS = 60_000;

/** How people come to the dashboard, and where its files lie. */
export class DashboardSettings {
  @Setting({
    env: 'DASHBOARD_SESSION',
    meaning: 'how long a session of the dashboard lasts; the host product then opens it anew',
    default: '8h',
    parse: asDuration(MINUTE_MS, 7 * 24 * 60 * MINUTE_MS),
  })
  readonly sessionMs: number;

  @Setting({
    env: 'DASHBOARD_CODE',
    meaning: 'how long the one-time code is good that the host product hands to the browser',
    default: '60s',
    parse: asDuration(1_000, 10 * MINUTE_MS),
  })
  readonly codeMs: number;

  @Setting({
    env: 'DASHBOARD_FOLDER',
    meaning: 'the folder of the built dashboard, by default the one beside config; none is served if it is not there',
    optional: true,
    parse: asText,
  })
  readonly folder?: string;
}
