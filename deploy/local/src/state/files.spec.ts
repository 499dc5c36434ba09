import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makePrivateFolder, readIfThere, readJsonIfThere, writePrivateFile } from './files.js';

const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('private files', () => {
  it('are readable by their owner only, also when they replace one that was not', () => {
    const file = join(folder, 'sub', 'secret.json');
    writePrivateFile(file, '{"a":1}');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'sub')).mode & 0o777).toBe(0o700);
    const open = join(folder, 'open.json');
    writeFileSync(open, '{}', { mode: 0o644 });
    writePrivateFile(open, '{"b":2}');
    expect(statSync(open).mode & 0o777).toBe(0o600);
    expect(readIfThere(open)).toBe('{"b":2}');
    expect(readdirSync(folder).sort()).toEqual(['open.json', 'sub']);
  });

  it('that are missing or damaged count as not there', () => {
    expect(readJsonIfThere(join(folder, 'none'))).toBeUndefined();
    for (const [index, text] of ['', '{"half":', 'null', '[]', '7'].entries()) {
      const file = join(folder, `damaged-${index}`);
      writeFileSync(file, text);
      expect(readJsonIfThere(file)).toBeUndefined();
    }
  });

  it('say what to do where they can not be written', () => {
    const notAFolder = join(folder, 'file');
    writeFileSync(notAFolder, '');
    expect(() => makePrivateFolder(join(notAFolder, 'x'))).toThrow(
      /The folder .*x can't be made: .*\n.*right to write/,
    );
  });
});
