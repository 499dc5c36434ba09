import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty } from 'class-validator';
import { WORKSPACE_ID_FORMAT } from '@form-webhooks/domain';
import { HasFormat } from '../http/formats.js';
import { PageQueryDto } from '../http/page.dto.js';
import { MayBeAbsent, PlainText } from '../http/rules.js';

export class RegisterFormDto {
  @ApiProperty({ pattern: WORKSPACE_ID_FORMAT.pattern.source, example: 'ws_acme' })
  @HasFormat(WORKSPACE_ID_FORMAT)
  workspace_id: string;

  @ApiProperty({ minLength: 1, maxLength: 200, example: 'Contact us' })
  @IsNotEmpty()
  @PlainText(200)
  name: string;
}

export class FormDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  workspace_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

/** Which forms; both conditions hold together. */
export class FormQueryDto extends PageQueryDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 200,
    description: 'In the name or the id, whatever its case. A service key names a workspace with it',
  })
  @MayBeAbsent()
  @IsNotEmpty()
  @PlainText(200)
  text?: string;
}

export class FormListDto {
  @ApiProperty({ type: [FormDto] })
  items: FormDto[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
