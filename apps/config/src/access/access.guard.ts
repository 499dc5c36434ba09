import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ANY_ID_PATTERN } from '@form-webhooks/domain';
import type { Scope } from '@form-webhooks/http-api';
import { forbidden, unauthorized } from '@form-webhooks/http-edge';
import { DataSource, findForm, findFormOrRemoved } from '@form-webhooks/storage';
import { formNotFound, invalid, notFound } from '../http/problems.js';
import type { AccessRequest } from './access-request.js';
import type { CallerIdentity } from './caller-identity.js';
import {
  OPEN_METADATA,
  REMOVED_FORM_METADATA,
  SCOPES_METADATA,
  UNKNOWN_FORM_METADATA,
  WORKSPACE_METADATA,
  workspaceFormatOf,
  type WorkspaceNaming,
} from './decorators.js';

/**
 * Decides before any handler runs whether the caller's scopes suffice, and which form or workspace the call is about.
 * What another workspace owns is as unknown as what does not exist.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly dataSource: DataSource,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Messages of the broker come from our own services; only HTTP comes from outside.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const handler = context.getHandler();
    const { caller } = request;
    if (this.reflector.get<boolean | undefined>(OPEN_METADATA, handler) === true) return true;
    // `prepareApi` asks before the body; a route that it passed over is open to nobody.
    if (!caller) throw unauthorized('This call is not open to anyone.');
    this.checkScopes(caller, this.reflector.get<readonly Scope[] | undefined>(SCOPES_METADATA, handler));
    const mayBeUnknown = this.reflector.get<boolean | undefined>(UNKNOWN_FORM_METADATA, handler) === true;
    if (!mayBeUnknown) refuseForeignIds(request.params);
    const { form_id: formId } = request.params;
    if (formId === undefined) {
      const naming = this.reflector.get<WorkspaceNaming | undefined>(WORKSPACE_METADATA, handler) ?? 'optional';
      request.workspaceId = resolveWorkspace(request, caller, naming);
      return true;
    }
    refuseWorkspaceParameter(request);
    if (mayBeUnknown) return true;
    const mayBeRemoved = this.reflector.get<boolean | undefined>(REMOVED_FORM_METADATA, handler) === true;
    const find = mayBeRemoved ? findFormOrRemoved : findForm;
    const form = await find(this.dataSource.manager, formId, caller.workspaceId ?? undefined);
    if (form) request.form = form;
    else if (!(mayBeRemoved && caller.isService)) throw formNotFound();
    return true;
  }

  private checkScopes(caller: CallerIdentity, scopes: readonly Scope[] | undefined): void {
    // Start-up refuses routes without declared scopes; this is the second lock on the same door.
    if (scopes === undefined) throw forbidden('This call is not open to anyone.');
    const missing = scopes.filter((scope) => !caller.may(scope));
    if (missing.length > 0) throw forbidden(`This call needs the scope ${missing.join(' and ')}.`);
  }
}

/** What can't be an id of ours needs no search, and some of it the database could not even look for. */
function refuseForeignIds(params: Readonly<Record<string, string>>): void {
  if (!Object.values(params).every((id) => ANY_ID_PATTERN.test(id))) throw notFound('resource');
}

function resolveWorkspace(request: AccessRequest, caller: CallerIdentity, naming: WorkspaceNaming): string | undefined {
  const named = request.query['workspace_id'];
  delete request.query['workspace_id'];
  if (!caller.isService) {
    if (named !== undefined) throw workspaceProblem('not_allowed', 'Only service keys name a workspace.');
    return caller.workspaceId!;
  }
  if (named === undefined) {
    if (naming !== 'optional') throw workspaceProblem('required', 'A service key names the workspace as workspace_id.');
    return undefined;
  }
  const { pattern, words } = workspaceFormatOf(naming);
  if (typeof named !== 'string' || !pattern.test(named)) {
    throw workspaceProblem('format', `workspace_id must be ${words}.`);
  }
  return named;
}

function refuseWorkspaceParameter(request: AccessRequest): void {
  if (request.query['workspace_id'] !== undefined) {
    throw workspaceProblem('not_allowed', 'The form in the path says which workspace is meant.');
  }
}

const workspaceProblem = (code: string, message: string) => invalid({ field: 'workspace_id', code, message });
