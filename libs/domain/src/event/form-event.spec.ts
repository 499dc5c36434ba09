import { describe, expect, it } from 'vitest';
import { EMPTY_META, identify, tailOf, type FormEvent } from './form-event.js';
import type { FormId, SubmissionId } from '../ids.js';

const event: FormEvent = {
  event: 'submission.created',
  formId: 'f_1' as FormId,
  submissionId: 's_1' as SubmissionId,
  fields: Buffer.from('{"n":12345678901234567890}'),
  meta: EMPTY_META,
  key: 'order-1',
};

describe('identify', () => {
  it('gives the same id to a repeat with the same key, whatever the rest of the event says', () => {
    expect(identify({ ...event, fields: Buffer.from('{}') })).toBe(identify(event));
  });

  it('keeps equal keys of two forms, or of two kinds of event, apart', () => {
    const ids = [event, { ...event, formId: 'f_2' as FormId }, { ...event, event: 'draft.resumed' as const }].map(
      identify,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('gives every event without a key an id of its own', () => {
    const { key: _key, ...keyless } = event;
    expect(identify(keyless)).not.toBe(identify(keyless));
    expect(identify(keyless)).toMatch(/^evt_[A-Za-z0-9_-]{22}$/);
  });
});

describe('tailOf', () => {
  it('carries the texts unchanged', () => {
    expect(tailOf(event).toString()).toBe(
      '"form_id":"f_1","submission_id":"s_1","fields":{"n":12345678901234567890},"meta":{}}',
    );
  });
});
