import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeConfigChange, encodeConfigChange } from './config-change.js';
import { UnreadableMessage } from './unreadable-message.js';

describe('config changes', () => {
  it.each([
    { kind: 'form', form_id: 'f_1' } as const,
    { kind: 'all_forms' } as const,
    { kind: 'api_key', key_id: 'key_1' } as const,
  ])('come back as they went: %j', (change) => {
    expect(decodeConfigChange(encodeConfigChange(change))).toEqual(change);
  });

  it.each([
    '',
    '{',
    'null',
    '1',
    '[]',
    '{}',
    '{"schema_version":1}',
    '{"schema_version":2,"kind":"form","form_id":"f_1"}',
    '{"schema_version":1,"kind":"form"}',
    '{"schema_version":1,"kind":"form","form_id":1}',
    '{"schema_version":1,"kind":{"toString":1}}',
    '{"schema_version":{"toString":1},"kind":"form"}',
  ])('are unreadable as %j', (text) => {
    expect(() => decodeConfigChange(Buffer.from(text))).toThrow(UnreadableMessage);
  });

  it('are read or unreadable, whatever bytes come', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(() => decodeConfigChange(Buffer.from(bytes))).toThrow(UnreadableMessage);
        },
      ),
    );
  });
});
