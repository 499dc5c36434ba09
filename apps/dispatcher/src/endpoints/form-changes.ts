import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Broker, EXCHANGES } from '@form-webhooks/broker';
import { decodeConfigChange } from '@form-webhooks/messages';
import { EndpointDirectory } from './endpoint-directory.js';

/** Cached endpoints are dropped when they change, and all of them asked about anew when a change may have been missed. */
@Injectable()
export class FormChanges implements OnModuleInit {
  constructor(
    private readonly broker: Broker,
    private readonly directory: EndpointDirectory,
  ) {}

  onModuleInit(): void {
    this.broker.subscribe(
      EXCHANGES.configChanges,
      (body) => {
        const change = decodeConfigChange(body);
        if (change.kind === 'form') this.directory.drop(change.form_id);
        if (change.kind === 'all_forms') this.directory.outdateAll();
      },
      () => this.directory.outdateAll(),
    );
  }
}
