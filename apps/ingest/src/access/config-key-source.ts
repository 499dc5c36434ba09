import { QUEUES, RpcClient } from '@form-webhooks/broker';
import type { ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import { ClockComparison, LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { AccessSettings } from './access-settings.js';
import { KeySource } from './key-directory.js';

/** Asks config about a key; only its hash travels. */
@Injectable()
export class ConfigKeySource extends KeySource {
  constructor(
    private readonly rpc: RpcClient,
    private readonly settings: AccessSettings,
    private readonly clocks: ClockComparison,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override async ask({ id, hash }: ApiKeyReference): Promise<ApiKeyReply> {
    try {
      const { configTimeoutMs } = this.settings;
      const question = { key_id: id, key_hash: hash };
      const reply = await this.rpc.call(QUEUES.configRpc, 'api_key', question, configTimeoutMs);
      if (reply.now !== undefined) this.clocks.note(reply.now);
      return reply;
    } catch (error) {
      this.logger.warn({ key_id: id, err: error }, 'config could not be asked about a key');
      throw error;
    }
  }
}
