import type { Attempt } from '../api/queries.js';
import { bytesOfBase64, hexDump, textIn } from '../ui/body/hex.js';

type Answer = NonNullable<Attempt['response']>;

/** What came back, as text; and its bytes where they are none. Null where the body is not shown. */
export interface AnswerBody {
  readonly text: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The excerpt is fit for a database and a terminal; where it left something out, what came is read anew from its bytes. */
export function answerBody({ excerpt, excerpt_base64: base64 }: Answer): AnswerBody | null {
  if (excerpt === null) return null;
  if (base64 === null) return { text: excerpt };
  const bytes = bytesOfBase64(base64);
  const text = textIn(bytes);
  return text === undefined ? { text: excerpt, bytes } : { text };
}

/** An answer as lines that can be held against those of another. */
export function comparableAnswer(answer: Answer | null): string | null {
  const body = answer && answerBody(answer);
  if (!body) return null;
  return body.bytes ? hexDump(body.bytes) : body.text;
}
