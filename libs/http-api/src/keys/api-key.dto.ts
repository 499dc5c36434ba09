import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsIn, IsNotEmpty } from 'class-validator';
import { KEY_KINDS, type KeyKind } from '../enumerations.js';
import { WORKSPACE_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { PageQueryDto } from '../http/page.dto.js';
import { IsMoment, MayBeAbsent, MayBeNull, PlainText, HasNoRepeats } from '../http/rules.js';
import { SCOPES, type Scope } from './scopes.js';

export class CreateApiKeyDto {
  @ApiProperty({ minLength: 1, maxLength: 200 })
  @IsNotEmpty()
  @PlainText(200)
  name: string;

  @ApiPropertyOptional({
    enum: KEY_KINDS,
    default: 'workspace',
    description: 'Only a service key can make a service key',
  })
  @MayBeAbsent()
  @IsIn(KEY_KINDS)
  kind?: KeyKind;

  @ApiPropertyOptional({
    description: 'Service keys must name the workspace of a workspace key; for anybody else it is refused',
  })
  @MayBeAbsent()
  @HasFormat(WORKSPACE_ID_FORMAT)
  workspace_id?: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'Only scopes that the caller has; from a session of the dashboard not keys:write',
  })
  @IsArray()
  @ArrayNotEmpty()
  @HasNoRepeats()
  @IsIn(SCOPES, { each: true })
  scopes: Scope[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'In the future; null for a key that does not end. One that a key makes ends with that at the latest',
  })
  @MayBeNull()
  @IsMoment()
  expires_at?: string | null;
}

export class ApiKeyDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: KEY_KINDS })
  kind: KeyKind;

  @ApiProperty({ type: String, nullable: true })
  workspace_id: string | null;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Within a minute' })
  last_used_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({ description: 'The key itself, shown this once' })
  key: string;
}

export class ApiKeyListDto {
  @ApiProperty({ type: [ApiKeyDto] })
  items: ApiKeyDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

/** Service keys belong to no workspace: instead of one, a service key asks for their kind. */
export class ApiKeyScopeDto {
  @ApiPropertyOptional({ enum: KEY_KINDS, default: 'workspace' })
  @MayBeAbsent()
  @IsIn(KEY_KINDS)
  kind?: KeyKind;
}

export class ApiKeyQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ enum: KEY_KINDS, default: 'workspace' })
  @MayBeAbsent()
  @IsIn(KEY_KINDS)
  kind?: KeyKind;
}
