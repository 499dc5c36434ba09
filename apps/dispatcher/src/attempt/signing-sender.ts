import { sealEnvelope, signatureHeaders, type KeyRing, type SecretContext } from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot, SealedSecret } from '@form-webhooks/messages';
import type { Sender, SentAttempt } from '@form-webhooks/sender';
import { AttemptSender, SecretUnreadable } from './attempt-delivery.js';
import { AttemptStarts } from './attempt-starts.js';
import { OpenedSecrets } from './opened-secrets.js';

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
    private readonly stopping: AbortSignal,
  ) {
    super();
  }

  /** @throws SecretUnreadable if one of the endpoint's secrets that sign now doesn't open */
  override async send(
    delivery: DeliveryMessage,
    endpoint: EndpointSnapshot,
    workspaceId: string,
  ): Promise<SentAttempt> {
    await this.starts.turn();
    const secrets = validSecrets(endpoint, Date.now()).map((secret) => this.open(secret, endpoint.id, workspaceId));
    const { signatureHeader, testHeader } = this.options;
    const { deliveryId } = delivery;
    return this.sender.send(
      {
        url: endpoint.url,
        ...(delivery.trigger === 'test' ? { headers: { [testHeader]: '1' } } : {}),
        seal: (unixSeconds) => {
          const body = sealEnvelope(delivery.event, deliveryId, unixSeconds, delivery.tail);
          return { body, headers: signatureHeaders({ secrets, deliveryId, unixSeconds, body, signatureHeader }) };
        },
      },
      this.stopping,
    );
  }

  private open(secret: SealedSecret, endpointId: string, workspaceId: string): string {
    const context: SecretContext = { workspaceId, endpointId, secretId: secret.id };
    try {
      return this.opened.textOf(secret, () => this.options.keyRing.open(secret.sealed, context));
    } catch (error) {
      throw new SecretUnreadable((error as Error).message, { cause: error });
    }
  }
}

/** The current secret first; one before it only until its overlap ends. */
const validSecrets = ({ secrets }: EndpointSnapshot, now: number): SealedSecret[] =>
  secrets.filter(({ expires_at }) => expires_at === null || expires_at > now);
