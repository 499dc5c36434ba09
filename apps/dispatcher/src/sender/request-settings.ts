import { Setting } from '@form-webhooks/settings';

/** What the requests of deliveries say of their sender. */
export class RequestSettings {
  @Setting({ env: 'USER_AGENT', meaning: 'the user-agent of deliveries', default: 'form-webhooks/1' })
  readonly userAgent: string;
}
