import {
  API_KEY_ID_PATTERN,
  ATTEMPT_ID_PATTERN,
  DELIVERY_ID_PATTERN,
  ENDPOINT_ID_PATTERN,
  FORM_ID_PATTERN,
  REPLAY_ID_PATTERN,
  SECRET_ID_PATTERN,
  SUBMISSION_ID_PATTERN,
} from '@form-webhooks/domain';

/** What each id in a path looks like. Any other text is an id of nothing. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  form_id: FORM_ID_PATTERN,
  endpoint_id: ENDPOINT_ID_PATTERN,
  delivery_id: DELIVERY_ID_PATTERN,
  attempt_id: ATTEMPT_ID_PATTERN,
  submission_id: SUBMISSION_ID_PATTERN,
  replay_id: REPLAY_ID_PATTERN,
  secret_id: SECRET_ID_PATTERN,
  key_id: API_KEY_ID_PATTERN,
};

/** @throws for a name that has no pattern yet */
export function patternOf(name: string): string {
  const pattern = PATTERNS[name];
  if (!pattern) throw new Error(`path-ids.ts has no pattern for ${name}`);
  return pattern.source;
}
