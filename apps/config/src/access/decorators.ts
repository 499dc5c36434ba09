import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiQuery } from '@nestjs/swagger';
import { WORKSPACE_ID_PATTERN } from '@form-webhooks/domain';
import type { Scope } from '@form-webhooks/http-api';
import type { AccessRequest } from './access-request.js';

export const SCOPES_METADATA = 'access:scopes';
export const WORKSPACE_METADATA = 'access:workspace';
export const UNKNOWN_FORM_METADATA = 'access:unknown-form';
export const OPEN_METADATA = 'access:open';
export const REMOVED_FORM_METADATA = 'access:removed-form';

/** Under which member of an operation the OpenAPI document names the scopes. */
const SCOPES_EXTENSION = 'x-required-scopes';

/** The scopes that a route asks for, all of them. A route without this decorator keeps the service from starting. */
export const Scopes = (...scopes: readonly Scope[]): MethodDecorator =>
  applyDecorators(SetMetadata(SCOPES_METADATA, scopes), ApiExtension(SCOPES_EXTENSION, scopes));

/** For a route that needs a valid credential and no particular scope. */
export const AnyCaller = (): MethodDecorator => Scopes();

/** For a route that takes a credential of its own kind in its body; `prepareApi` asks its callers for none. */
export const OpenToAnyone = (): MethodDecorator => applyDecorators(AnyCaller(), SetMetadata(OPEN_METADATA, true));

/**
 * For a route without a form in its path: a service key names the workspace in the query, anyone else's is their own.
 * `@Workspace()` gives it.
 */
export const InWorkspace = (required: 'required' | 'optional' = 'required'): MethodDecorator =>
  applyDecorators(
    SetMetadata(WORKSPACE_METADATA, required),
    ApiQuery({
      name: 'workspace_id',
      required: false,
      description:
        required === 'required'
          ? 'A service key must name it, or gets 422; anybody else has one workspace, and gets 422 for naming any'
          : 'Only service keys name one',
      schema: { type: 'string', pattern: WORKSPACE_ID_PATTERN.source },
    }),
  );

/** For the one route that may name a form that is not registered yet. */
export const FormMayBeUnknown = (): MethodDecorator => SetMetadata(UNKNOWN_FORM_METADATA, true);

/**
 * For what must be possible after a form's removal too: its deliveries stay in the log until their days are dropped. A
 * service key may also name a form that nobody has registered, of which events may have come: `@FormInPath()` is
 * undefined then.
 */
export const FormMayBeRemoved = (): MethodDecorator => SetMetadata(REMOVED_FORM_METADATA, true);

const requestOf = (context: ExecutionContext): AccessRequest => context.switchToHttp().getRequest<AccessRequest>();

/** Who calls: a `CallerIdentity`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).caller);

/**
 * The form in the path (a `Form`), which the guard has found within the caller's reach. Bind every query to its
 * `workspaceId` and `id`.
 */
export const FormInPath = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).form);

/** The workspace that the call is about: an id, or undefined where it is optional and a service key named none. */
export const Workspace = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).workspaceId,
);
