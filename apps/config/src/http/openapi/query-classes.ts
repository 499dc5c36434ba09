import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** Nest's own key under which a handler's parameters lie, the kind of one that is a query, and the key of their types. */
const ARGUMENTS_METADATA = '__routeArguments__';
const QUERY_KIND = 4;
const TYPES_METADATA = 'design:paramtypes';
/** The document's own key of an operation. */
const OPERATION_METADATA = 'swagger/apiOperation';

export type DtoClass = abstract new (...args: never[]) => unknown;

/** The class that checks the query of each operation, by operation id; an operation without one is left out. */
export function queryClasses(app: INestApplication): ReadonlyMap<string, DtoClass> {
  const scanner = new MetadataScanner();
  const found = new Map<string, DtoClass>();
  for (const { instance } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      const operation = Reflect.getMetadata(OPERATION_METADATA, prototype[method]!) as
        { operationId: string } | undefined;
      const query = operation && queryClass(prototype, method);
      if (query) found.set(operation.operationId, query);
    }
  }
  return found;
}

function queryClass(prototype: object, method: string): DtoClass | undefined {
  const args = (Reflect.getMetadata(ARGUMENTS_METADATA, prototype.constructor, method) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const types = Reflect.getMetadata(TYPES_METADATA, prototype, method) as DtoClass[];
  const query = Object.entries(args).find(
    ([kind, { data }]) => kind.startsWith(`${QUERY_KIND}:`) && data === undefined,
  );
  return query && types[query[1].index];
}
