import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyExcerpt } from './response-capture.js';

function excerptOf(body: Buffer): ReturnType<BodyExcerpt['read']> {
  const excerpt = new BodyExcerpt();
  excerpt.add(body);
  return excerpt.read();
}

describe('What is kept of an answer', () => {
  it.each([
    ['text', Buffer.from('thanks, é 😀\n\t')],
    ['text that fills what is kept', Buffer.from('é'.repeat(1_024))],
    ['text of which a character is cut in half', Buffer.from(`a${'😀'.repeat(600)}`)],
  ])('is %s alone where that is exactly what came', (_, body) => {
    expect(excerptOf(body).bytes).toBeUndefined();
  });

  it.each([
    ['another encoding', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Gr\ufffd\ufffde'],
    ['two bytes a character', Buffer.from('ok', 'utf16le'), 'ok'],
    ['a byte order mark', Buffer.from('\ufeffok'), 'ok'],
    ['control characters', Buffer.from('a\u001b[31mb\0'), 'a[31mb'],
    ['a replacement character of its own beside a broken one', Buffer.from([0xef, 0xbf, 0xbd, 0xff]), '\ufffd\ufffd'],
    ['half a character at its end', Buffer.from([0x61, 0xe2, 0x82]), 'a\ufffd'],
  ])('has its bytes too where text does not say them: %s', (_, body, text) => {
    expect(excerptOf(body)).toEqual({ excerpt: text, bytes: body.toString('base64') });
  });

  it('can always be told byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_000 }), (came) => {
        const kept = Buffer.from(came).subarray(0, 2_048);
        const { excerpt, bytes } = excerptOf(Buffer.from(came));
        const told = bytes === undefined ? Buffer.from(excerpt) : Buffer.from(bytes, 'base64');
        expect(kept.subarray(0, told.length).equals(told)).toBe(true);
        expect(kept.length - told.length).toBeLessThanOrEqual(came.length > 2_048 ? 3 : 0);
      }),
      { seed: 7 },
    );
  });
});
