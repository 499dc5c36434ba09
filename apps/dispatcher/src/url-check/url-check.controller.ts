import { MessagePattern } from '@nestjs/microservices';
import { MessageController, QUEUES, rpcPattern } from '@form-webhooks/broker';
import type { CheckUrlReply, CheckUrlRequest } from '@form-webhooks/messages';
import { Sender } from '@form-webhooks/sender';

/** Config has no way to the internet: a dispatcher looks whether a new endpoint's URL responds. */
@MessageController()
export class UrlCheckController {
  constructor(private readonly sender: Sender) {}

  @MessagePattern<string>(rpcPattern(QUEUES.dispatcherRpc, 'check_url'))
  check({ url }: CheckUrlRequest): Promise<CheckUrlReply> {
    return this.sender.check(url);
  }
}
