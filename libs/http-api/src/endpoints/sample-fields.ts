/** What a test send carries as the form's fields unless its sender writes others. No real respondent is in it. */
export const SAMPLE_FIELDS = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  message: 'This is a test. Ça marche? 👋',
} as const;

/** The fields of a test send, as JSON in UTF-8. */
export const MAX_TEST_FIELDS_BYTES = 65_536;
