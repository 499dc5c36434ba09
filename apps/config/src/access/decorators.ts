import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiQuery } from '@nestjs/swagger';
import { WORKSPACE_ID_FORMAT, type TextFormat } from '@form-webhooks/domain';
import type { Scope } from '@form-webhooks/http-api';
import { NO_WORKSPACE } from '@form-webhooks/storage';
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
 * How a service key names a workspace in the query: it must, it may, or it must and may also name that of what belongs
 * to none (`-`).
 */
export type WorkspaceNaming = 'required' | 'optional' | 'required_or_none';

const WORKSPACE_OR_NONE: TextFormat = {
  pattern: new RegExp(`^${NO_WORKSPACE}$|${WORKSPACE_ID_FORMAT.pattern.source}`),
  words: `${WORKSPACE_ID_FORMAT.words}, or ${NO_WORKSPACE}`,
};

/** What a workspace that a service key names looks like. */
export const workspaceFormatOf = (naming: WorkspaceNaming): TextFormat =>
  naming === 'required_or_none' ? WORKSPACE_OR_NONE : WORKSPACE_ID_FORMAT;

const NAMING_DESCRIPTIONS: Readonly<Record<WorkspaceNaming, string>> = {
  required: 'A service key must name it, or gets 422; anybody else has one workspace, and gets 422 for naming any',
  optional: 'Only service keys name one',
  required_or_none:
    'A service key must name it, or gets 422: `-` stands for what belongs to no workspace, such as service keys that ' +
    'were made, days of the log that were dropped, and erasures of forms that nobody has registered; anybody else ' +
    'has one workspace, and gets 422 for naming any',
};

/**
 * For a route without a form in its path: a service key names the workspace in the query, anyone else's is their own.
 * `@Workspace()` gives it.
 */
export const InWorkspace = (naming: WorkspaceNaming = 'required'): MethodDecorator =>
  applyDecorators(
    SetMetadata(WORKSPACE_METADATA, naming),
    ApiQuery({
      name: 'workspace_id',
      required: false,
      description: NAMING_DESCRIPTIONS[naming],
      schema: { type: 'string', pattern: workspaceFormatOf(naming).pattern.source },
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
