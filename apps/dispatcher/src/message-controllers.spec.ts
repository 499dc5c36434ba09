import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, MessagePattern, Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { MessageController, ServiceStops } from '@form-webhooks/broker';
import { expect, it, vi } from 'vitest';

const APPS = join(import.meta.dirname, '..', '..');
const stops = new ServiceStops('no work may begin');

@MessageController()
class Failing {
  @EventPattern('queue')
  async take(_message: unknown): Promise<never> {
    return Promise.reject(stops);
  }

  @MessagePattern('queue/ask')
  async answer(_request: unknown): Promise<never> {
    return Promise.reject(stops);
  }
}

@Module({ controllers: [Failing] })
class FailingModule {}

class Handlers extends Server implements CustomTransportStrategy {
  listen(): void {}
  close(): void {}
  on(): void {}
  unwrap<T>(): T {
    return undefined as T;
  }

  async call(pattern: string): Promise<unknown> {
    const answer = this.transformToObservable(await this.messageHandlers.get(pattern)!({}));
    return new Promise((next, error) => answer.subscribe({ next, error }));
  }
}

it('what a handler throws comes to its consumer as it is, and is told by nobody else', async () => {
  const logger = { ...{ log: vi.fn(), warn: vi.fn() }, error: vi.fn() };
  const strategy = new Handlers();
  const app = await NestFactory.createMicroservice(FailingModule, { strategy, logger });
  await app.init();
  await expect(strategy.call('queue')).rejects.toBe(stops);
  await expect(strategy.call('queue/ask')).rejects.toBe(stops);
  expect(logger.error).not.toHaveBeenCalled();
});

it('every class of an app that handles messages is such a controller', () => {
  const sources = readdirSync(APPS, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[a-z]+\/src\/.*(?<!\.spec)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(APPS, path), 'utf8') }))
    .filter(({ text }) => /@(Event|Message)Pattern\b/.test(text));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter(({ text }) => !/^@MessageController\(\)$/m.test(text)).map(({ path }) => path)).toEqual([]);
});
