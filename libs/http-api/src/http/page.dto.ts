import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import type { TextFormat } from '@form-webhooks/domain';
import { HasFormat } from './formats.js';
import { FromDigits, MayBeAbsent } from './rules.js';

/** The alphabet of base64url. */
const CURSOR_FORMAT: TextFormat = { pattern: /^[A-Za-z0-9_-]+$/, words: 'the next_cursor of the page before' };

/** Which page of a list. */
export class PageQueryDto {
  @ApiPropertyOptional({ description: '`next_cursor` of the page before; opaque' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(512)
  @HasFormat(CURSOR_FORMAT)
  cursor?: string;

  @ApiPropertyOptional({ description: 'How many items at most', minimum: 1, maximum: 100, default: 50 })
  @MayBeAbsent()
  @FromDigits()
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit?: number;
}
