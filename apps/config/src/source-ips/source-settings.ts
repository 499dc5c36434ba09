import { asList, Setting } from '@form-webhooks/settings';

/** Where receivers see deliveries come from. */
export class SourceSettings {
  @Setting({
    env: 'PUBLIC_SOURCE_ADDRESSES',
    meaning: 'addresses or CIDRs that deliveries come from, as receivers see them, separated by commas',
    default: '',
    parse: asList,
  })
  readonly addresses: readonly string[];
}
