import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { QUEUES, rpcPattern } from '@form-webhooks/broker';
import { FORM_ID_PATTERN } from '@form-webhooks/domain';
import type { ApiKeyReply, ApiKeyRequest, FormEndpointsReply, FormEndpointsRequest } from '@form-webhooks/messages';
import { DataSource, snapshotForm } from '@form-webhooks/storage';
import { ConfigSettings } from '../settings.js';
import { KeyAnswers } from './key-answers.js';

/** What the other services ask: small questions, asked often, each one statement. */
@Controller()
export class ConfigRpcController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: KeyAnswers,
    private readonly settings: ConfigSettings,
  ) {}

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'form_endpoints'))
  async formEndpoints(request: FormEndpointsRequest): Promise<FormEndpointsReply> {
    if (!FORM_ID_PATTERN.test(request.form_id)) throw new Error('form_endpoints was asked about no form id');
    const erasedSince = new Date(Date.now() - this.settings.erasureMatterMs);
    const form = await snapshotForm(this.dataSource, request.form_id, erasedSince);
    return {
      registered: form.registered,
      deleted: form.deleted,
      workspace_id: form.workspaceId,
      endpoints: form.endpoints,
      erased_submissions: form.erasedSubmissions,
      now: Date.now(),
    };
  }

  @MessagePattern<string>(rpcPattern(QUEUES.configRpc, 'api_key'))
  apiKey(request: ApiKeyRequest): Promise<ApiKeyReply> {
    return this.keys.answer(request);
  }
}
