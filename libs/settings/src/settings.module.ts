import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { sectionsOf } from './setting.js';

/** The settings that a service was started with. */
class GivenSettings {
  constructor(private readonly settings: object) {}

  /** @throws Error if the service has no settings of that class */
  of<T extends object>(Class: Type<T>): T {
    const found = [this.settings, ...sectionsOf(this.settings)].find((one): one is T => one instanceof Class);
    if (found) return found;
    throw new Error(`${this.settings.constructor.name} has no section ${Class.name}`);
  }
}

/**
 * Settings by their classes. They are values of one start, so only the root module is given them, by `forRoot`; a module
 * that needs some says which by `forFeature`, and gets them from there. Nothing is global.
 */
@Module({})
export class SettingsModule {
  static forRoot(settings: object): DynamicModule {
    return {
      module: SettingsModule,
      providers: [{ provide: GivenSettings, useValue: new GivenSettings(settings) }],
    };
  }

  /** @param classes the whole of an app's settings, or sections of it */
  static forFeature(...classes: readonly Type<object>[]): DynamicModule {
    const providers = classes.map((Class): Provider => ({
      provide: Class,
      inject: [ModuleRef],
      useFactory: (modules: ModuleRef) => modules.get(GivenSettings, { strict: false }).of(Class),
    }));
    return { module: SettingsModule, providers, exports: [...classes] };
  }
}
