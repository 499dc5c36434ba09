import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LatestAnswers } from './latest-answers.js';

const aConnection = (): Socket => new PassThrough() as unknown as Socket;
const anAnswerOn = (socket: Socket): ServerResponse =>
  Object.assign(new EventEmitter(), { req: { socket } }) as unknown as ServerResponse;

describe('the latest answer of a connection', () => {
  it('is held while it is under way, and not while the connection waits for another request', () => {
    const answers = new LatestAnswers();
    const socket = aConnection();
    const answer = anAnswerOn(socket);
    answers.note(answer);
    expect([answers.of(socket), answers.of(aConnection())]).toEqual([answer, undefined]);
    answer.emit('close');
    expect(answers.of(socket)).toBeUndefined();
  });

  it('is the later one of two requests that came together, also once the first has its answer', () => {
    const answers = new LatestAnswers();
    const socket = aConnection();
    const [first, second] = [anAnswerOn(socket), anAnswerOn(socket)];
    for (const one of [first, second]) answers.note(one);
    first.emit('close');
    expect(answers.of(socket)).toBe(second);
  });
});
