import { Injectable, RequestMethod, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { SCOPES_METADATA } from './decorators.js';

/** Nest's own keys under which `@Get()` and its like leave a route's verb and path. */
const METHOD_METADATA = 'method';
const PATH_METADATA = 'path';

/** Keeps the service from starting while a route says nothing of the scopes that it needs. */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery
      .getControllers()
      .flatMap(({ instance }) => this.routesWithoutScopes(instance as object));
    if (open.length > 0) throw new Error(`routes without @Scopes() or @AnyCaller(): ${open.join(', ')}`);
  }

  private routesWithoutScopes(controller: object): string[] {
    const prototype = Object.getPrototypeOf(controller) as Record<string, () => unknown>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name]!))
      .filter((name) => this.reflector.get<unknown>(SCOPES_METADATA, prototype[name]!) === undefined)
      .map((name) => {
        const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, prototype[name]!) as number];
        return `${controller.constructor.name}.${name} (${verb})`;
      });
  }
}
