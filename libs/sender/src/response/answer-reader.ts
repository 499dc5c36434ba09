import { framingOf, valuesOf, type BodyFraming } from './body-framing.js';
import { ReceivedHead, type ReadHead, type SoundHead } from './received-head.js';
import { BodyExcerpt, MAX_BODY_BYTES } from './response-capture.js';

const MAX_INTERIM_ANSWERS = 8;

/**
 * What has come of an answer. `incomplete` waits for more, `ended` is an answer with its body. All else is the last word:
 * its head is `broken` or too large (`overflow`), `flood` is too many interim answers, `upgrade` another protocol, `odd`
 * a status that is none; `cut` is an answer whose body is malformed, or longer than what is read of one.
 */
export type AnswerState = 'incomplete' | 'ended' | 'broken' | 'overflow' | 'flood' | 'upgrade' | 'odd' | 'cut';

/** A receiver has said its final status, in a head without fault. */
export interface Answer extends ReadHead {
  /** How long the connection may rest after it, as far as the receiver says so, ms; 0 not at all. */
  readonly restMs: number;
}

/**
 * Reads one answer, byte by byte as it comes (RFC 9112). It is read strictly: a connection is used again only behind an
 * answer of which everybody would say where it ends.
 */
export class AnswerReader {
  readonly excerpt = new BodyExcerpt();
  /** Once its head is complete. */
  answer: Answer | undefined;
  /** Bytes came behind its end, which belong to no request. */
  hasSurplus = false;
  private head = new ReceivedHead();
  private interim = 0;
  private framing: BodyFraming | undefined;
  /** Bytes of the body as they came, with the framing of chunks: it costs as much to read as the body. */
  private wireBytes = 0;

  /** @param toHead whether the request was a HEAD */
  constructor(private readonly toHead: boolean) {}

  read(bytes: Buffer): AnswerState {
    let rest = bytes;
    while (!this.framing) {
      const used = this.head.add(rest);
      if (this.head.progress !== 'sound') return this.head.progress;
      rest = rest.subarray(used);
      const state = this.judge(this.head.sound);
      if (state !== 'incomplete') return state;
      if (!this.framing && rest.length === 0) return 'incomplete';
    }
    return this.readBody(rest, this.framing);
  }

  /** Whether an end of the connection, in order, is that of the answer too. */
  get endsHere(): boolean {
    return this.framing?.endsWithConnection ?? false;
  }

  /** What can be read of an answer whose head is not complete, or broken. */
  readLeniently(): ReadHead | undefined {
    return this.head.readLeniently();
  }

  /** The status of an `odd` answer. */
  get oddStatus(): number {
    return this.head.sound.status;
  }

  private judge(head: SoundHead): AnswerState {
    const { status } = head;
    if (status === 101) return 'upgrade';
    if (status < 100 || status > 599) return 'odd';
    // HTTP/1.0 knows no interim answers.
    if (status < 200) return head.minorVersion === 0 ? 'broken' : this.passOver();
    this.framing = framingOf(head, this.toHead);
    if (!this.framing) return 'broken';
    const headers = Object.fromEntries(head.fields.toReversed());
    this.answer = { status, headers, restMs: restOf(head) };
    return 'incomplete';
  }

  private passOver(): AnswerState {
    if (++this.interim > MAX_INTERIM_ANSWERS) return 'flood';
    this.head = new ReceivedHead();
    return 'incomplete';
  }

  private readBody(bytes: Buffer, framing: BodyFraming): AnswerState {
    const used = framing.read(bytes, this.takeBytes);
    if (used < 0) return 'cut';
    this.wireBytes += used;
    if (this.wireBytes > MAX_BODY_BYTES) return 'cut';
    this.hasSurplus ||= used < bytes.length;
    return framing.isComplete ? 'ended' : 'incomplete';
  }

  private readonly takeBytes = (bytes: Buffer): void => this.excerpt.add(bytes);
}

/** A receiver's time-out runs since it has answered: what is sent in its last moment would come too late. */
const HINT_MARGIN_MS = 1_000;

/** HTTP/1.0 keeps a connection only where it says so (RFC 9112, 9.3). */
function restOf({ minorVersion, fields }: SoundHead): number {
  const options = valuesOf(fields, 'connection').join(',').toLowerCase();
  if (/(?:^|[,\s])close(?:$|[,\s])/.test(options)) return 0;
  if (minorVersion === 0 && !/(?:^|[,\s])keep-alive(?:$|[,\s])/.test(options)) return 0;
  const [, seconds] = /(?:^|[,\s])timeout=(\d{1,9})/i.exec(valuesOf(fields, 'keep-alive').join(',')) ?? [];
  return seconds === undefined ? Infinity : Number(seconds) * 1_000 - HINT_MARGIN_MS;
}
