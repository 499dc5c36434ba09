import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { SourceIpsDto } from '@form-webhooks/http-api';
import { AnyCaller, InWorkspace } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';
import { SourceSettings } from '@form-webhooks/settings';

@ApiController('source-ips', 'source IPs')
export class SourceIpsController {
  constructor(private readonly settings: SourceSettings) {}

  @Get()
  @AnyCaller()
  @InWorkspace('optional')
  @ApiOperation({ operationId: 'list_source_ips', summary: 'Where deliveries come from, for the receiver’s firewall' })
  @ApiOkResponse({ type: SourceIpsDto })
  list(): SourceIpsDto {
    return { items: [...this.settings.addresses] };
  }
}
