import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { MeDto, SCOPES } from '@form-webhooks/http-api';
import { CallerIdentity } from '../access/caller-identity.js';
import { AnyCaller, Caller } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';

@ApiController('me', 'me')
export class MeController {
  @Get()
  @AnyCaller()
  @ApiOperation({ operationId: 'get_me', summary: 'Whose credential calls, what it may do, and how long it is valid' })
  @ApiOkResponse({ type: MeDto })
  get(@Caller() caller: CallerIdentity): MeDto {
    const { expiresAt, workspaceId } = caller;
    return {
      kind: caller.kind,
      actor: caller.actor,
      scopes: SCOPES.filter((scope) => caller.may(scope)),
      workspaces: workspaceId === null ? null : [workspaceId],
      forms: null,
      expires_at: expiresAt?.toISOString() ?? null,
      expires_in_seconds: expiresAt && secondsUntil(expiresAt),
    };
  }
}

/** Never negative: a token may be valid for a moment after its end, since clocks differ. */
const secondsUntil = (at: Date): number => Math.max(0, Math.floor((at.getTime() - Date.now()) / 1_000));
