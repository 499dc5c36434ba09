import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureSecrets } from './private-state.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'form-webhooks-secrets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('the secrets of a checkout', () => {
  it('are made once and stay', () => {
    const made = ensureSecrets(folder);
    expect(made.SECRET_KEYS).toMatch(/^k1:.{44}$/);
    expect(ensureSecrets(folder)).toEqual(made);
  });

  it.each([
    ['half written', '{"ADMIN_API_KEY":"a","SECRET'],
    ['with a comma too many', '{"ADMIN_API_KEY":"a","SECRET_KEYS":"k1:b",}'],
    ['without the key ring', '{"ADMIN_API_KEY":"a"}'],
    ['with a key ring that is no text', '{"ADMIN_API_KEY":"a","SECRET_KEYS":["k1:b"]}'],
    ['empty', ''],
  ])('are never replaced by others because their file is damaged: %s', (_case, text) => {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, text);
    expect(() => ensureSecrets(folder)).toThrow(/secrets\.json is damaged.*\n.*Repair it/);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
