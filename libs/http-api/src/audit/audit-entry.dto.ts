import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FORM_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { PageQueryDto } from '../http/page.dto.js';
import { IsMoment, MayBeAbsent, PlainText } from '../http/rules.js';

export class AuditQueryDto extends PageQueryDto {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @HasFormat(FORM_ID_FORMAT)
  form_id?: string;

  @ApiPropertyOptional({
    example: 'key:key_0123456789abcdef',
    description: '`key:<id>`, `user:<sub>`, `operator` (by the command line, not by the API) or `system`',
  })
  @MayBeAbsent()
  @PlainText(300)
  actor?: string;

  @ApiPropertyOptional({ example: 'endpoint.created' })
  @MayBeAbsent()
  @PlainText(100)
  action?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'At or after' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Before' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
}

export class AuditTargetDto {
  @ApiProperty({ example: 'endpoint' })
  type: string;

  @ApiProperty()
  id: string;
}

/** A value of a field, as the API shows it. */
export type AuditValue =
  AuditPart | readonly AuditPart[] | { readonly [member: string]: AuditPart | readonly AuditPart[] };
type AuditPart = string | number | boolean | null;

const PARTS = ['string', 'number', 'boolean'].map((type) => ({
  type,
  nullable: true,
  // Whole numbers and fractions.
  ...(type === 'number' ? { format: 'double' } : {}),
}));
const LIST = { type: 'array', items: { anyOf: PARTS } };
const VALUE = { anyOf: [...PARTS, LIST, { type: 'object', additionalProperties: { anyOf: [...PARTS, LIST] } }] };

export class AuditChangeDto {
  @ApiProperty()
  field: string;

  @ApiPropertyOptional({ ...VALUE, description: 'Absent for secrets' })
  old?: AuditValue;

  @ApiPropertyOptional({ ...VALUE, description: 'Absent for secrets' })
  new?: AuditValue;
}

export class AuditEntryDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  workspace_id: string;

  @ApiProperty({ description: 'Its place in the workspace’s chain' })
  seq: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty()
  actor: string;

  @ApiProperty({ type: String, nullable: true })
  key_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  ip: string | null;

  @ApiProperty({ example: 'endpoint.created' })
  action: string;

  @ApiProperty({ type: String, nullable: true })
  form_id: string | null;

  @ApiProperty({ type: AuditTargetDto })
  target: AuditTargetDto;

  @ApiProperty({ type: [AuditChangeDto] })
  changes: AuditChangeDto[];

  @ApiProperty({ description: 'SHA-256 over the hash of the entry before it and the stored text' })
  hash: string;
}

export class AuditListDto {
  @ApiProperty({ type: [AuditEntryDto] })
  items: AuditEntryDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
