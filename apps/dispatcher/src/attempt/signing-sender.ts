import { sealEnvelope, signatureHeaders, type KeyRing, type SealContext } from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot, SealedSecret } from '@form-webhooks/messages';
import type { Sender, SendRequest, SentAttempt } from '@form-webhooks/sender';
import { AttemptSender, SecretUnreadable } from './attempt-delivery.js';
import { AttemptStarts } from './attempt-starts.js';
import { OpenedSecrets, type Sealed } from './opened-secrets.js';
import { withoutValues, type OwnHeaders } from './own-headers.js';

export interface SigningOptions {
  readonly keyRing: KeyRing;
  /** The name of the plain HMAC's header. */
  readonly signatureHeader: string;
  /** The name of the header that marks a test send. */
  readonly testHeader: string;
}

/** Seals, signs and sends one delivery. An opened secret is kept for a minute. */
export class SigningSender extends AttemptSender {
  private readonly starts = new AttemptStarts();
  private readonly opened = new OpenedSecrets();

  constructor(
    private readonly sender: Pick<Sender, 'send'>,
    private readonly options: SigningOptions,
    private readonly aborted: AbortSignal,
  ) {
    super();
  }

  /**
   * Our own headers win over an owner's of the same name, should one have been stored before the name was ours.
   * @returns the attempt without the values of the owner's headers
   * @throws AbortError if attempts are aborted before this one began: it would use up a try, and nothing was sent
   * @throws SecretUnreadable if one of the endpoint's secrets that sign now, or a header's value, doesn't open
   */
  override async send(
    delivery: DeliveryMessage,
    endpoint: EndpointSnapshot,
    workspaceId: string,
  ): Promise<SentAttempt> {
    await this.starts.turn();
    this.aborted.throwIfAborted();
    const owner = { workspaceId, endpointId: endpoint.id };
    const secrets = validSecrets(endpoint, Date.now()).map((secret) =>
      this.open(secret, { ...owner, secretId: secret.id }),
    );
    const own: OwnHeaders = Object.fromEntries(
      (endpoint.headers ?? []).map((header) => [header.name, this.open(header, { ...owner, headerName: header.name })]),
    );
    const sent = await this.sender.send(this.requestFor(delivery, endpoint.url, secrets, own), this.aborted);
    return withoutValues(sent, own);
  }

  private requestFor(delivery: DeliveryMessage, url: string, secrets: readonly string[], own: OwnHeaders): SendRequest {
    const { signatureHeader, testHeader } = this.options;
    const { deliveryId, event, tail } = delivery;
    return {
      url,
      headers: { ...own, ...(delivery.trigger === 'test' ? { [testHeader]: '1' } : {}) },
      seal: (unixSeconds) => {
        const body = sealEnvelope(event, deliveryId, unixSeconds, tail);
        return { body, headers: signatureHeaders({ secrets, deliveryId, unixSeconds, body, signatureHeader }) };
      },
    };
  }

  private open(sealed: Sealed, context: SealContext): string {
    try {
      return this.opened.textOf(sealed, () => this.options.keyRing.open(sealed.sealed, context));
    } catch (error) {
      throw new SecretUnreadable((error as Error).message, { cause: error });
    }
  }
}

/** The current secret first; each of those before it only until its own overlap ends. */
const validSecrets = ({ secrets }: EndpointSnapshot, now: number): SealedSecret[] =>
  secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
