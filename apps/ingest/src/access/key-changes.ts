import { Broker, EXCHANGES } from '@form-webhooks/broker';
import { decodeConfigChange } from '@form-webhooks/messages';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyDirectory } from './key-directory.js';

/** Hears of keys that change, so that what the directory remembers of them is dropped. */
@Injectable()
export class KeyChanges implements OnModuleInit {
  constructor(
    private readonly broker: Broker,
    private readonly keys: KeyDirectory,
  ) {}

  onModuleInit(): void {
    this.broker.subscribe(
      EXCHANGES.configChanges,
      (body) => this.keys.hear(decodeConfigChange(body)),
      () => this.keys.reset(),
    );
  }
}
