import { Module } from '@nestjs/common';
import { QUEUES, RpcClient } from '@form-webhooks/broker';
import { CacheSettings, SettingsModule } from '@form-webhooks/settings';
import { LOGGER, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { FormChanges } from './form-changes.js';

const LOOKUP_TIMEOUT_MS = 3_000;

const createDirectory = (rpc: RpcClient, { maxAgeMs }: CacheSettings, logger: Logger): EndpointDirectory =>
  new EndpointDirectory(
    (formId) => rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: formId }, LOOKUP_TIMEOUT_MS),
    maxAgeMs,
    logger,
    async (formId, submissionId) => {
      const request = { form_id: formId, submission_id: submissionId };
      return (await rpc.call(QUEUES.configRpc, 'erased_submission', request, LOOKUP_TIMEOUT_MS)).erased;
    },
  );

/** The cached lookup of a form's endpoints. */
@Module({
  imports: [SettingsModule.forFeature(CacheSettings), TelemetryModule, DispatcherBrokerModule],
  providers: [
    FormChanges,
    { provide: EndpointDirectory, inject: [RpcClient, CacheSettings, LOGGER], useFactory: createDirectory },
  ],
  exports: [EndpointDirectory],
})
export class EndpointsModule {}
