import { describe, expect, it } from 'vitest';
import { bytesOfBase64, hexDump, textIn } from './hex.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('bytes that are no text', () => {
  it('are shown in lines of sixteen, with what of them is ASCII', () => {
    expect(hexDump(bytes('Gr\xfc\xdfe from <b>M\xfcnchen</b>\0')).split('\n')).toEqual([
      '00000000  47 72 fc df 65 20 66 72 6f 6d 20 3c 62 3e 4d fc  Gr..e from <b>M.',
      '00000010  6e 63 68 65 6e 3c 2f 62 3e 00                    nchen</b>.',
    ]);
    expect(hexDump(new Uint8Array())).toBe('');
  });

  it('are told from text by whether they are UTF-8, a cut end aside', () => {
    expect(textIn(bytesOfBase64(btoa('Gr\xfc\xdfe')))).toBeUndefined();
    expect(textIn(bytes('\xef\xbb\xbfa\0\x1b[31m'))).toBe('\ufeffa\0\u001b[31m');
    expect(textIn(bytes('a\xe2\x82'))).toBe('a');
  });
});
