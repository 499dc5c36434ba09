import { ApiProperty } from '@nestjs/swagger';

export class SourceIpsDto {
  @ApiProperty({ type: [String], description: 'Addresses or CIDRs that deliveries come from', example: ['192.0.2.10'] })
  items: string[];
}
