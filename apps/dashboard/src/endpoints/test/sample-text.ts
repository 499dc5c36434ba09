import { MAX_TEST_FIELDS_BYTES, SAMPLE_FIELDS } from '@form-webhooks/http-api/sample-fields';
import type { TextId } from '../../text/text.js';
import { inexactNumber } from './exact-numbers.js';

/** What stands in the field before somebody writes something else. */
export const SAMPLE_TEXT = JSON.stringify(SAMPLE_FIELDS, null, 2);

/** What a test carries, or why it can't be sent. */
export type ReadSample = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: TextId };

/** Reads what was typed as the fields of a test, by the rules of the API. */
export function readSample(text: string): ReadSample {
  const fields = parsed(text);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return { problem: 'test.fields.wrong' };
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).length;
  if (bytes > MAX_TEST_FIELDS_BYTES) return { problem: 'test.fields.long' };
  // It would be sent as another, without a word.
  if (inexactNumber(text) !== undefined) return { problem: 'test.fields.inexact' };
  return { fields: fields as Readonly<Record<string, unknown>> };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
