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

const idOf = (given: Partial<FormEvent> = {}): string => {
  const said = { ...event, ...given };
  return identify(said, tailOf(said));
};

describe('identify', () => {
  it('gives the same id to a repeat: the same key with the same content', () => {
    expect(idOf({ fields: Buffer.from(event.fields), meta: Buffer.from('{}') })).toBe(idOf());
  });

  it.each<Partial<FormEvent>>([
    { formId: 'f_2' as FormId },
    { event: 'draft.resumed' },
    { submissionId: 's_2' as SubmissionId },
    { fields: Buffer.from('{"n":12345678901234567891}') },
    { payment: Buffer.from('{}') },
    { meta: Buffer.from('{ }') },
  ])('gives another id to the same key with another content: %j', (other) => {
    expect(idOf(other)).not.toBe(idOf());
  });

  it('gives every event without a key an id of its own', () => {
    const { key: _key, ...keyless } = event;
    const tail = tailOf(keyless);
    expect(identify(keyless, tail)).not.toBe(identify(keyless, tail));
    expect(identify(keyless, tail)).toMatch(/^evt_[A-Za-z0-9_-]{22}$/);
  });
});

describe('tailOf', () => {
  it('carries the texts unchanged', () => {
    expect(tailOf(event).toString()).toBe(
      '"form_id":"f_1","submission_id":"s_1","fields":{"n":12345678901234567890},"meta":{}}',
    );
  });
});
