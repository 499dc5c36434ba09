import { ApiProperty } from '@nestjs/swagger';
import { IDENTITY_KINDS, type IdentityKind } from '../enumerations.js';
import { SCOPES, type Scope } from './scopes.js';

/** Who the caller's credential belongs to, and what it may do. */
export class MeDto {
  @ApiProperty({
    enum: IDENTITY_KINDS,
    description: 'A key of a workspace, a key of a service, or a person with a token',
  })
  kind: IdentityKind;

  @ApiProperty({ description: 'The name under which the audit log has what the caller does', example: 'user:u_42' })
  actor: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  @ApiProperty({ type: [String], nullable: true, description: 'The workspaces that it reaches; null for every one' })
  workspaces: string[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The forms that it reaches within its workspaces; null for every one: `GET /v1/forms` lists them',
  })
  forms: string[] | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the credential ends' })
  expires_at: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'How long it is still valid, by the clock of the service; null for one that does not end',
  })
  expires_in_seconds: number | null;
}
