import { describe, expect, it } from 'vitest';
import { answerBody, comparableAnswer } from './answer-body.js';

const answer = (excerpt: string | null, came?: string) => ({
  ...{ status: 200, headers: {}, truncated: false, excerpt },
  excerpt_base64: came === undefined ? null : btoa(came),
});

describe('the body of an answer', () => {
  it('is its excerpt where that says all of it, and nothing where it is not shown', () => {
    expect(answerBody(answer('ok'))).toEqual({ text: 'ok' });
    expect(answerBody(answer(null))).toBeNull();
    expect([comparableAnswer(null), comparableAnswer(answer(null))]).toEqual([null, null]);
  });

  it('has the control characters that the excerpt leaves out', () => {
    expect(answerBody(answer('a[31mb', 'a\u001b[31mb\0'))).toEqual({ text: 'a\u001b[31mb\0' });
  });

  it('has bytes where it is no text, and is compared by them', () => {
    const body = answer('Gr\ufffd\ufffde', 'Gr\xfc\xdfe');
    expect(answerBody(body)).toEqual({ text: 'Gr\ufffd\ufffde', bytes: Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65) });
    expect(comparableAnswer(body)).toContain('47 72 fc df 65');
  });
});
