import { asRanges } from '../parsers.js';
import { Setting } from '../setting.js';

/** Where receivers see deliveries come from. */
export class SourceSettings {
  @Setting({
    env: 'PUBLIC_SOURCE_ADDRESSES',
    meaning:
      'addresses or CIDRs that deliveries come from, as receivers see them, separated by commas; dispatchers refuse them as receivers',
    default: '',
    parse: asRanges,
  })
  readonly addresses: readonly string[];
}
