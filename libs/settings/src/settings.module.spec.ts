import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { loadSettings } from './load-settings.js';
import { asInteger } from './parsers.js';
import { Section, Setting } from './setting.js';
import { SettingsModule } from './settings.module.js';

class Limits {
  @Setting({ env: 'MAX', meaning: 'how many', parse: asInteger(1, 9) })
  readonly max: number;
}

class Whole {
  @Section()
  readonly limits: Limits;
}

class Foreign {
  @Setting({ env: 'OTHER', meaning: 'something of another service' })
  readonly other: string;
}

/** A module as a room has one: it can't know what the service is started with. */
@Module({
  imports: [SettingsModule.forFeature(Whole, Limits)],
  providers: [
    { provide: 'max', inject: [Whole, Limits], useFactory: (whole: Whole, { max }: Limits) => [whole.limits.max, max] },
  ],
})
class RoomModule {}

@Module({ imports: [SettingsModule.forFeature(Foreign)] })
class RoomOfAnotherService {}

@Module({})
class RootModule {
  static with(room: typeof RoomModule, max: string): DynamicModule {
    const settings = loadSettings(Whole, { MAX: max });
    return { module: RootModule, imports: [room, SettingsModule.forRoot(settings)] };
  }
}

const start = (room: typeof RoomModule, max: string) =>
  NestFactory.createApplicationContext(RootModule.with(room, max), { logger: false, abortOnError: false });

describe('SettingsModule', () => {
  it('gives each service in a process its own settings and sections', async () => {
    const [one, two] = await Promise.all([start(RoomModule, '1'), start(RoomModule, '2')]);
    expect([one.get<number[]>('max'), two.get<number[]>('max')]).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('keeps a service from starting whose settings lack a section that a module asks for', async () => {
    await expect(start(RoomOfAnotherService, '1')).rejects.toThrow('Whole has no section Foreign');
  });
});
