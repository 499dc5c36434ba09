import {
  ANY_ID_PATTERN,
  DELIVERY_ID_PATTERN,
  ENDPOINT_ID_PATTERN,
  EVENT_ID_PATTERN,
  FORM_ID_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  SUBMISSION_ID_PATTERN,
  WORKSPACE_ID_PATTERN,
} from './ids.js';

/** What a text can look like. */
export interface TextFormat {
  /** It decides; documents show it. */
  readonly pattern: RegExp;
  /** The same for people, as it stands behind "must be": whoever sends another text reads this. */
  readonly words: string;
}

const idWith = (prefix: string, pattern: RegExp): TextFormat => ({
  pattern,
  words: `${prefix} and 1 to 60 letters, digits, _ or -`,
});

export const DELIVERY_ID_FORMAT = idWith('dlv_', DELIVERY_ID_PATTERN);
export const ENDPOINT_ID_FORMAT = idWith('we_', ENDPOINT_ID_PATTERN);
export const EVENT_ID_FORMAT = idWith('evt_', EVENT_ID_PATTERN);
export const FORM_ID_FORMAT = idWith('f_', FORM_ID_PATTERN);
export const SUBMISSION_ID_FORMAT = idWith('s_', SUBMISSION_ID_PATTERN);
export const WORKSPACE_ID_FORMAT = idWith('ws_', WORKSPACE_ID_PATTERN);

export const ANY_ID_FORMAT: TextFormat = { pattern: ANY_ID_PATTERN, words: '1 to 64 letters, digits, _ or -' };

export const IDEMPOTENCY_KEY_FORMAT: TextFormat = {
  pattern: IDEMPOTENCY_KEY_PATTERN,
  words: '1 to 128 letters, digits or any of . _ : -',
};
