import { QUEUES, type Broker } from '@form-webhooks/broker';
import type { ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import type { Logger } from '@form-webhooks/telemetry';
import { KeySource } from '../access/key-directory.js';

/** Asks config about a key; only its hash travels. */
export class ConfigKeySource extends KeySource {
  constructor(
    private readonly broker: Broker,
    private readonly timeoutMs: number,
    private readonly logger: Logger,
  ) {
    super();
  }

  override async ask({ id, hash }: ApiKeyReference): Promise<ApiKeyReply> {
    try {
      return await this.broker.rpc.call(QUEUES.configRpc, 'api_key', { key_id: id, key_hash: hash }, this.timeoutMs);
    } catch (error) {
      this.logger.warn({ key_id: id, err: error }, 'config could not be asked about a key');
      throw error;
    }
  }
}
