import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { Broker, BrokerServer } from '@form-webhooks/broker';
import { sectionsOf } from '@form-webhooks/settings';
import { DataSource, EndpointSwitchOff } from '@form-webhooks/storage';
import { Metrics, type Logger } from '@form-webhooks/telemetry';
import { AccessGuard } from './access/access.guard.js';
import { AdminKey } from './access/admin-key.js';
import { Authenticator } from './access/authenticator.js';
import { CallerCheck } from './access/caller-check.js';
import { DeclaredAccess } from './access/declared-access.js';
import { KeyUse } from './access/key-use.js';
import { RateLimiter } from './access/rate-limiter.js';
import { RequestBudget } from './access/request-budget.js';
import { createTokenVerifier, TokenVerifier } from './access/tokens/token-verifier.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { Changes } from './changes/changes.js';
import { ConfigMetrics } from './config-metrics.js';
import { EndpointEditor } from './endpoints/endpoint-editor.js';
import { EndpointSecretsController } from './endpoints/endpoint-secrets.controller.js';
import { EndpointViews } from './endpoints/endpoint-views.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { GoneEndpoints } from './endpoints/gone-endpoints.js';
import { SecretRotation } from './endpoints/secret-rotation.js';
import { SigningSecrets } from './endpoints/signing-secrets.js';
import { TestSend } from './endpoints/test-send.js';
import { TestSendsController } from './endpoints/test-sends.controller.js';
import { UrlCheck } from './endpoints/url-check.js';
import { ExpiredRows } from './retention/expired-rows.js';
import { FormRegistry } from './forms/form-registry.js';
import { FormsController } from './forms/forms.controller.js';
import { ProblemFilter } from './http/problem-filter.js';
import { RouteTable } from './http/route-table.js';
import { StrictDtoPipe } from './http/strict-dto.pipe.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotentWrites } from './idempotency/idempotent-writes.js';
import { ApiKeysController } from './keys/api-keys.controller.js';
import { KeyRegistry } from './keys/key-registry.js';
import { LogModule } from './log-writing/log.module.js';
import { MessageRelay } from './outbox/message-relay.js';
import { OutboxPublisher } from './outbox/outbox-publisher.js';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { ConfigRpcController } from './rpc/config-rpc.controller.js';
import { KeyAnswers } from './rpc/key-answers.js';
import { ConfigSettings } from './settings.js';
import { SourceIpsController } from './source-ips/source-ips.controller.js';
import { LOGGER } from './tokens.js';

/** What `main.ts` has opened before the module is made, and closes after it. */
export interface Surroundings {
  readonly settings: ConfigSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly dataSource: DataSource;
  readonly broker: Broker;
  readonly server: BrokerServer;
}

const ACCESS = [Authenticator, CallerCheck, DeclaredAccess, KeyUse, RateLimiter, RequestBudget];
const CHANGES = [Changes, MessageRelay, OutboxPublisher, OutboxRelay];
const ENDPOINTS = [EndpointEditor, EndpointViews, SecretRotation, SigningSecrets, TestSend, UrlCheck];

/** Binds ports to adapters: the only file that knows both. */
@Module({})
export class AppModule {
  static with({ settings, logger, metrics, dataSource, broker, server }: Surroundings): DynamicModule {
    const surroundings = [
      { provide: ConfigSettings, useValue: settings },
      ...sectionsOf(settings).map((section) => ({ provide: section.constructor, useValue: section })),
      { provide: LOGGER, useValue: logger },
      { provide: Metrics, useValue: metrics },
      { provide: DataSource, useValue: dataSource },
      { provide: Broker, useValue: broker },
      { provide: BrokerServer, useValue: server },
      { provide: AdminKey, useValue: new AdminKey(settings.access.adminApiKey) },
    ];
    return {
      module: AppModule,
      global: true,
      imports: [DiscoveryModule, LogModule],
      controllers: [
        FormsController,
        EndpointsController,
        EndpointSecretsController,
        TestSendsController,
        ApiKeysController,
        AuditLogController,
        SourceIpsController,
        ConfigRpcController,
      ],
      providers: [
        ...surroundings,
        ...ACCESS,
        ...CHANGES,
        ...ENDPOINTS,
        ConfigMetrics,
        ExpiredRows,
        FormRegistry,
        IdempotentWrites,
        KeyAnswers,
        KeyRegistry,
        RouteTable,
        { provide: TokenVerifier, useFactory: () => createTokenVerifier(settings.tokens) },
        { provide: EndpointSwitchOff, useClass: GoneEndpoints },
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_PIPE, useClass: StrictDtoPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [...surroundings.map(({ provide }) => provide), ...CHANGES, RateLimiter, EndpointSwitchOff],
    };
  }
}
