import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem, PROBLEM_MEDIA_TYPE } from './problem.js';
import { randomRequestId } from './answers/request-id.js';

/** What Node says when it gives a request up before there is one; everything else are bytes that are no HTTP. */
const STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** How long a caller may take to read that answer and to hang up, ms. */
const HANG_UP_MS = 1_000;

/**
 * Answers bytes that are no HTTP request, one whose head is too large, or one that takes too long. Nobody can tell
 * what was asked, so the answer goes straight to the socket and ends the connection. A request before it, whole and
 * under way, gets its own answer first: it would take this one for its own.
 * @param detail the sentence that callers are told
 * @param latestAnswer that to the connection's latest request which could be read, if it is under way
 */
export function answerBrokenRequests(
  detail: string,
  latestAnswer: (socket: Socket) => ServerResponse | undefined = () => undefined,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  /** More bytes of one are more errors. */
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
    if (waiting.has(socket)) return;
    const end = (): void => endWith(socket, answerText(new Problem(STATUSES.get(error.code) ?? 400, detail)));
    const before = latestAnswer(socket);
    if (before === undefined || before.closed || !before.req.complete) return end();
    waiting.add(socket);
    before.once('close', end);
  };
}

/** Nothing else watches a connection from here on: a caller that does not hang up would keep it for ever. */
function endWith(socket: Socket, answer: string): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  socket.end(answer);
  const cut = setTimeout(() => socket.destroy(), HANG_UP_MS);
  socket.once('close', () => clearTimeout(cut));
}

function answerText(problem: Problem): string {
  const body = JSON.stringify(problem.toDocument(randomRequestId()));
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'connection: close',
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
