import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { RpcUnavailable } from '@form-webhooks/broker';
import type { FormEndpointsReply } from '@form-webhooks/messages';
import { EndpointDirectory, FormUnknown } from './endpoint-directory.js';

const logger = pino({ level: 'silent' });

function reply(version: number): FormEndpointsReply {
  const endpoint = { id: 'we_1', url: 'https://x.example/', enabled: true, events: [], version, secrets: [] };
  return {
    registered: true,
    deleted: false,
    workspace_id: 'ws_1',
    endpoints: [endpoint],
    erased_submissions: [],
    now: Date.now(),
  };
}

const versionOf = async (directory: EndpointDirectory): Promise<number | undefined> =>
  (await directory.lookup('f_1')).endpoints.get('we_1')?.version;

describe('EndpointDirectory', () => {
  it('makes one call of concurrent lookups of a form', async () => {
    const ask = vi.fn(async () => reply(1));
    const directory = new EndpointDirectory(ask, 60_000, logger);
    await Promise.all([directory.lookup('f_1'), directory.lookup('f_1'), directory.lookup('f_1')]);
    await directory.lookup('f_1');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('asks again after a change', async () => {
    let version = 1;
    const directory = new EndpointDirectory(async () => reply(version), 60_000, logger);
    expect(await versionOf(directory)).toBe(1);
    version = 2;
    directory.drop('f_1');
    expect(await versionOf(directory)).toBe(2);
  });

  it('does not keep an answer that was asked for before a change', async () => {
    const answers: ((value: FormEndpointsReply) => void)[] = [];
    const ask = (): Promise<FormEndpointsReply> => new Promise((resolve) => answers.push(resolve));
    const directory = new EndpointDirectory(ask, 60_000, logger);
    const early = directory.lookup('f_1');
    directory.drop('f_1');
    const late = directory.lookup('f_1');
    answers[1]!(reply(2));
    await late;
    answers[0]!(reply(1));
    await early;
    expect(await versionOf(directory)).toBe(2);
    expect(answers).toHaveLength(2);
  });

  it('serves what it has while config is down, beyond its age', async () => {
    let down = false;
    const ask = async (): Promise<FormEndpointsReply> => {
      if (down) throw new RpcUnavailable('nobody answers');
      return reply(1);
    };
    const directory = new EndpointDirectory(ask, -1, logger);
    await directory.lookup('f_1');
    down = true;
    expect(await versionOf(directory)).toBe(1);
  });

  it('does not take an old answer for a fresh one', async () => {
    let down = false;
    const ask = async (): Promise<FormEndpointsReply> => {
      if (down) throw new RpcUnavailable('nobody answers');
      return reply(1);
    };
    const directory = new EndpointDirectory(ask, 60_000, logger);
    await directory.lookup('f_1');
    down = true;
    await expect(directory.lookupFresh('f_1', -1)).rejects.toBeInstanceOf(FormUnknown);
  });

  it('says that a form is unknown when config can not be asked and nothing is cached', async () => {
    const directory = new EndpointDirectory(() => Promise.reject(new RpcUnavailable('down')), 60_000, logger);
    await expect(directory.lookup('f_1')).rejects.toBeInstanceOf(FormUnknown);
  });
});
