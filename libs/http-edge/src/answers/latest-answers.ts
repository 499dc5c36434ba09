import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The answer to each connection's latest request, while it is under way. No longer: with its request's head, which can
 * have thousands of headers, it would stay for as long as the connection waits for another request.
 */
export class LatestAnswers {
  private readonly bySocket = new WeakMap<Socket, ServerResponse>();

  /** To be told of each answer as its request comes. */
  note(answer: ServerResponse): void {
    const { socket } = answer.req;
    this.bySocket.set(socket, answer);
    answer.once('close', () => {
      if (this.bySocket.get(socket) === answer) this.bySocket.delete(socket);
    });
  }

  /** @returns undefined if none is under way */
  of(socket: Socket): ServerResponse | undefined {
    return this.bySocket.get(socket);
  }
}
