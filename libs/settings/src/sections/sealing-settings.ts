import { KeyRing } from '@form-webhooks/domain';
import { Setting } from '../setting.js';

/** What seals signing secrets and values of headers in config and opens them in the dispatchers. */
export class SealingSettings {
  @Setting({
    env: 'SECRET_KEYS',
    meaning: 'the keys that seal signing secrets: id:base64 of 32 bytes, separated by commas, the sealing one first',
    parse: (text) => new KeyRing(text),
    secret: true,
  })
  readonly keyRing: KeyRing;
}
