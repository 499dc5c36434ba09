import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { FromDigits, MayBeAbsent } from './rules.js';

/** Which page of a list. */
export class PageQueryDto {
  @ApiPropertyOptional({ description: '`next_cursor` of the page before; opaque' })
  @MayBeAbsent()
  @IsString()
  @MaxLength(512)
  cursor?: string;

  @ApiPropertyOptional({ description: 'How many items at most', minimum: 1, maximum: 100, default: 50 })
  @MayBeAbsent()
  @FromDigits()
  @IsInt()
  @Min(1)
  @Max(1_000)
  limit?: number;
}
