import { sealEnvelope, signatureHeaders, type KeyRing, type SecretContext } from '@form-webhooks/domain';
import type { SealedSecret } from '@form-webhooks/messages';
import type { SendRequest } from '@form-webhooks/sender';
import { describe, expect, it, vi } from 'vitest';
import { aDelivery, anAnswer, anEndpoint } from '../testing/factories.js';
import { SecretUnreadable } from './attempt-delivery.js';
import { SigningSender } from './signing-sender.js';

const NAMES = { signatureHeader: 'x-signature', testHeader: 'x-test' };
const secret = (id: string, expires_at: number | null): SealedSecret => ({ id, sealed: `sealed ${id}`, expires_at });

function stage() {
  const requests: SendRequest[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const send = (request: SendRequest, signal?: AbortSignal) => {
    requests.push(request);
    signals.push(signal);
    return Promise.resolve(anAnswer(200));
  };
  const open = vi.fn((sealed: string, _of: SecretContext) => sealed.replace('sealed ', 'whsec_'));
  const keyRing = { open } as unknown as KeyRing;
  const aborting = new AbortController();
  const { signal } = aborting;
  const sender = new SigningSender({ send }, { keyRing, ...NAMES }, signal);
  return { requests, signals, signal, aborting, open, sender };
}

describe('sending an attempt', () => {
  it('seals the envelope with the moment of sending and signs it with every secret that is valid now', async () => {
    const { sender, requests, open } = stage();
    const secrets = [secret('new', null), secret('overlapping', Date.now() + 60_000), secret('ended', Date.now() - 1)];
    const endpoint = anEndpoint({ secrets });
    const delivery = aDelivery();
    expect(await sender.send(delivery, endpoint, 'ws_1')).toEqual(anAnswer(200));
    const [{ url, headers, seal }] = requests as [SendRequest];
    expect({ url, headers }).toEqual({ url: endpoint.url, headers: {} });
    const { deliveryId } = delivery;
    const body = sealEnvelope('submission.created', deliveryId, 1_700_000_000, delivery.tail);
    const signed = { secrets: ['whsec_new', 'whsec_overlapping'], deliveryId, unixSeconds: 1_700_000_000 };
    expect(seal(1_700_000_000)).toEqual({
      body,
      headers: signatureHeaders({ ...signed, body, signatureHeader: 'x-signature' }),
    });
    expect(open).toHaveBeenCalledWith('sealed new', { workspaceId: 'ws_1', endpointId: 'we_1', secretId: 'new' });
  });

  it('marks a test send', async () => {
    const { sender, requests } = stage();
    await sender.send(aDelivery({ trigger: 'test' }), anEndpoint(), 'ws_1');
    expect(requests).toMatchObject([{ headers: { 'x-test': '1' } }]);
  });

  it('adds the owner’s headers, opened, below ours', async () => {
    const { sender, requests, open } = stage();
    const headers = ['authorization', 'x-test'].map((name) => ({ name, sealed: `sealed ${name}` }));
    const sent = await sender.send(
      aDelivery({ trigger: 'test' }),
      anEndpoint({ secrets: [secret('s', null)], headers }),
      'ws_1',
    );
    expect(requests).toMatchObject([{ headers: { authorization: 'whsec_authorization', 'x-test': '1' } }]);
    const owner = { workspaceId: 'ws_1', endpointId: 'we_1' };
    expect(open).toHaveBeenCalledWith('sealed authorization', { ...owner, headerName: 'authorization' });
    expect(JSON.stringify(sent)).not.toContain('whsec_authorization');
  });

  it('opens a secret once for each answer of config', async () => {
    const { sender, open } = stage();
    const answer = anEndpoint({ secrets: [secret('s', null)] });
    await sender.send(aDelivery(), answer, 'ws_1');
    await sender.send(aDelivery(), answer, 'ws_1');
    expect(open).toHaveBeenCalledTimes(1);
    await sender.send(aDelivery(), anEndpoint({ secrets: [secret('s', null)] }), 'ws_1');
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('fails, unsent, if the value of a header does not open', async () => {
    const { sender, requests, open } = stage();
    open.mockImplementation((sealed) => {
      if (sealed === 'broken') throw new Error('it was changed');
      return sealed;
    });
    const endpoint = anEndpoint({ secrets: [secret('s', null)], headers: [{ name: 'a', sealed: 'broken' }] });
    await expect(sender.send(aDelivery(), endpoint, 'ws_1')).rejects.toThrow(SecretUnreadable);
    expect(requests).toEqual([]);
  });

  it('fails, unsent, if a secret does not open', async () => {
    const { sender, requests, open } = stage();
    open.mockImplementation(() => {
      throw new Error('not sealed with this key');
    });
    const endpoint = anEndpoint({ secrets: [secret('s', null)] });
    const sending = sender.send(aDelivery(), endpoint, 'ws_1');
    await expect(sending).rejects.toThrow(new SecretUnreadable('not sealed with this key'));
    expect(requests).toEqual([]);
  });

  it('waits for its turn, and can be aborted by a stop', async () => {
    const { sender, requests, signals, signal } = stage();
    const sending = sender.send(aDelivery(), anEndpoint(), 'ws_1');
    await Promise.resolve();
    expect(requests).toEqual([]);
    await sending;
    expect(signals).toEqual([signal]);
  });

  it('sends nothing, and says that nothing came of it, once attempts are aborted', async () => {
    const { sender, requests, aborting } = stage();
    const sending = sender.send(aDelivery(), anEndpoint(), 'ws_1');
    aborting.abort();
    await expect(sending).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(requests).toEqual([]);
  });
});
