import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RabbitMqFiles } from './rabbitmq-files.js';

const folder = mkdtempSync(join(tmpdir(), "form-webhooks of whoever's "));
afterAll(() => rmSync(folder, { recursive: true }));

describe('rabbitmqctl of a private broker', () => {
  const files = new RabbitMqFiles(folder);
  const program = join(folder, 'the installed one');
  writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$RABBITMQ_NODENAME" "$TWO" "$RABBITMQ_VHOST" "$@"\n');
  chmodSync(program, 0o700);

  it('calls the installed one for that node, whatever the environment and the arguments are', () => {
    files.writeCtl(program, { PATH: process.env['PATH'], RABBITMQ_NODENAME: 'rabbit@here', TWO: "it's two words" });
    const env = { PATH: process.env['PATH'], RABBITMQ_NODENAME: 'rabbit@elsewhere', RABBITMQ_VHOST: 'other' };
    const printed = execFileSync(files.ctlFile, ['eval', '[x || "a b"].'], { env, encoding: 'utf8' });
    expect(printed).toBe(`rabbit@here|it's two words||eval|[x || "a b"].|`);
  });

  it('is for its owner alone, who can read its cookie', () => {
    expect(statSync(files.ctlFile).mode & 0o777).toBe(0o700);
  });
});

describe('the identity of a private broker', () => {
  it('is made once and stays', () => {
    const files = new RabbitMqFiles(join(folder, 'stays'));
    const made = files.recall();
    mkdirSync(join(files.dataDir, made.node), { recursive: true });
    expect(files.recall()).toEqual(made);
  });

  it.each([
    ['is gone', undefined],
    ['was written half', '{"node":"form-we'],
    ['lacks the name', '{"user":"a","password":"b"}'],
  ])('is not made anew beside data whose messages another node would not see, where its file %s', (how, text) => {
    const files = new RabbitMqFiles(join(folder, how));
    mkdirSync(join(files.dataDir, 'form-webhooks-1@localhost'), { recursive: true });
    if (text !== undefined) writeFileSync(files.memoryFile, text);
    expect(() => files.recall()).toThrow(/There are RabbitMQ data .*\nBring it back, or remove/);
  });
});
