import { Module } from '@nestjs/common';
import { QUEUES, RpcClient } from '@form-webhooks/broker';
import { TelemetryModule } from '@form-webhooks/telemetry';
import { DispatcherBrokerModule } from '../broker.module.js';
import { KnownDeliveries } from './known-deliveries.js';
import { RepeatReport } from './repeat-report.js';

/** Longer than config takes for a whole batch; a first attempt may wait for it. */
const ASK_TIMEOUT_MS = 1_000;

const createKnownDeliveries = (rpc: RpcClient, report: RepeatReport): KnownDeliveries =>
  new KnownDeliveries(
    (request) => rpc.call(QUEUES.configRpc, 'known_deliveries', request, ASK_TIMEOUT_MS),
    (result) => report.reportQuestion(result),
  );

/** What has been done before, as the log knows it. */
@Module({
  imports: [TelemetryModule, DispatcherBrokerModule],
  providers: [
    RepeatReport,
    { provide: KnownDeliveries, inject: [RpcClient, RepeatReport], useFactory: createKnownDeliveries },
  ],
  exports: [KnownDeliveries, RepeatReport],
})
export class RepeatsModule {}
