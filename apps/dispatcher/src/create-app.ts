import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { BrokerServer } from '@form-webhooks/broker';
import { NestLogger, type Logger, type Tracing } from '@form-webhooks/telemetry';
import { AppModule } from './app.module.js';
import type { DispatcherSettings } from './settings.js';

/** The dispatcher's rooms put together, connected to nothing yet. @throws if the sender can't be made as configured */
export const createApp = (
  settings: DispatcherSettings,
  logger: Logger,
  tracing?: Tracing,
): Promise<INestMicroservice> =>
  NestFactory.createMicroservice<AsyncMicroserviceOptions>(AppModule.forRoot(settings, logger, tracing), {
    inject: [BrokerServer],
    useFactory: (strategy: BrokerServer) => ({ strategy }),
    logger: new NestLogger(logger),
    abortOnError: false,
  });
