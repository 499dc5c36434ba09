import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One member that is wrong. */
export class FieldProblemDto {
  @ApiProperty({
    description: 'The path of the member, such as `url` or `filter.state`; empty for the body as a whole',
  })
  field: string;

  @ApiProperty({ description: 'Stable, for programs', example: 'unknown_member' })
  code: string;

  @ApiProperty({ description: 'For people' })
  message: string;
}

/** Every error of the API (RFC 9457, `application/problem+json`). */
export class ProblemDto {
  @ApiProperty({ example: 'about:blank' })
  type: string;

  @ApiProperty({ example: 'Unprocessable Content' })
  title: string;

  @ApiProperty({ example: 422 })
  status: number;

  @ApiProperty({ description: 'What is wrong in this case, for people' })
  detail: string;

  @ApiPropertyOptional({ description: 'Stable, for programs; where one status has several causes' })
  code?: string;

  @ApiPropertyOptional({
    type: [FieldProblemDto],
    description: 'All that is wrong with the request, at once; at most 50',
  })
  errors?: FieldProblemDto[];

  @ApiPropertyOptional({ description: 'With the code `url_in_use`: the endpoint of the form that has the URL' })
  endpoint_id?: string;

  @ApiProperty({ description: 'Name it when you ask for help' })
  request_id: string;
}
