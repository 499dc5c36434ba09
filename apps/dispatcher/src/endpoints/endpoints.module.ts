import { Module } from '@nestjs/common';
import { QUEUES, RpcClient } from '@form-webhooks/broker';
import { CacheSettings, SealingSettings, SettingsModule } from '@form-webhooks/settings';
import { ClockComparison, LOGGER, Metrics, TelemetryModule, type Logger } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { DirectoryMetrics } from './directory-metrics.js';
import { EndpointDirectory, type SingleQuestions } from './endpoint-directory.js';
import { FormChanges } from './form-changes.js';
import { VouchedAnswers } from './vouched-answers.js';

const LOOKUP_TIMEOUT_MS = 3_000;

const createDirectory = (
  rpc: RpcClient,
  { maxAgeMs }: CacheSettings,
  logger: Logger,
  answers: VouchedAnswers,
): EndpointDirectory =>
  new EndpointDirectory(
    (formId) => rpc.call(QUEUES.configRpc, 'form_endpoints', { form_id: formId }, LOOKUP_TIMEOUT_MS),
    maxAgeMs,
    logger,
    singleQuestions(rpc),
    answers,
  );

const singleQuestions = (rpc: RpcClient): SingleQuestions => ({
  async ifErased(formId, submissionId) {
    const request = { form_id: formId, submission_id: submissionId };
    return (await rpc.call(QUEUES.configRpc, 'erased_submission', request, LOOKUP_TIMEOUT_MS)).erased;
  },
  async ifDeleted(formId, endpointId) {
    const request = { form_id: formId, endpoint_id: endpointId };
    return (await rpc.call(QUEUES.configRpc, 'deleted_endpoint', request, LOOKUP_TIMEOUT_MS)).deleted;
  },
});

function createAnswers({ keyRing }: SealingSettings, metrics: Metrics, logger: Logger): VouchedAnswers {
  const clocks = new ClockComparison(metrics, logger, 'receivers will refuse the timestamps');
  return new VouchedAnswers(keyRing, metrics, logger, ({ now }) => clocks.note(now));
}

/** The cached lookup of a form's endpoints. */
@Module({
  imports: [SettingsModule.forFeature(CacheSettings, SealingSettings), TelemetryModule, DispatcherBrokerModule],
  providers: [
    DirectoryMetrics,
    FormChanges,
    { provide: VouchedAnswers, inject: [SealingSettings, Metrics, LOGGER], useFactory: createAnswers },
    {
      provide: EndpointDirectory,
      inject: [RpcClient, CacheSettings, LOGGER, VouchedAnswers],
      useFactory: createDirectory,
    },
  ],
  exports: [EndpointDirectory],
})
export class EndpointsModule {}
