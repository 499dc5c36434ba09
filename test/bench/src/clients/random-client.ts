/** How a client behaves towards ingest. Whatever it is, nothing of it may stay there. */
export interface RandomClient {
  readonly bytes: Buffer;
  /** How many of its bytes it sends before it stops. */
  readonly stopsAfter: number;
  readonly pieceBytes: number;
  readonly pauseMs: number;
  readonly then: 'reset' | 'close' | 'half-close' | 'wait';
  readonly reads: boolean;
}

const KEYS = ['valid', 'valid', 'valid', 'made up', 'none'] as const;
const LENGTHS = ['right', 'right', 'right', 'too long', 'too short', 'far too long', 'chunked', 'none'] as const;
const ENDS = ['reset', 'reset', 'close', 'half-close', 'wait'] as const;
const SIZES = [0, 100, 10_000, 100_000, 900_000] as const;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomClient(random: () => number, validKey: string): RandomClient {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const bytes = requestBytes(pick(SIZES), pick(LENGTHS), keyOf(pick(KEYS), validKey, random));
  const drips = random() < 0.1;
  return {
    bytes,
    // A third sends everything, a sixth stops in its head, the others anywhere.
    stopsAfter: Math.ceil(bytes.length * pick([1, 1, random() * 0.001, random(), random(), random()])),
    pieceBytes: drips ? Math.ceil(bytes.length / 50) : 65_536,
    pauseMs: drips ? 100 : 0,
    then: pick(ENDS),
    reads: random() < 0.7,
  };
}

function keyOf(kind: (typeof KEYS)[number], validKey: string, random: () => number): string | undefined {
  if (kind === 'none') return undefined;
  if (kind === 'valid') return validKey;
  return Array.from({ length: 40 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}

function requestBytes(size: number, says: (typeof LENGTHS)[number], key: string | undefined): Buffer {
  const body = `{"event":"submission.created","form_id":"f_clients","submission_id":"s_1","fields":{"x":"${'x'.repeat(size)}"}}`;
  const lines = [
    'POST /v1/events HTTP/1.1',
    'host: ingest',
    'content-type: application/json',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    ...lengthLines(says, body.length),
  ];
  const sent = says === 'chunked' ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${sent}`);
}

function lengthLines(says: (typeof LENGTHS)[number], length: number): string[] {
  switch (says) {
    case 'right':
      return [`content-length: ${length}`];
    case 'too long':
      return [`content-length: ${length + 10_000}`];
    case 'too short':
      return [`content-length: ${Math.floor(length / 2)}`];
    case 'far too long':
      return ['content-length: 100000000000'];
    case 'chunked':
      return ['transfer-encoding: chunked'];
    case 'none':
      return [];
  }
}
