import { Setting } from '../setting.js';

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

const asHeaderName = (text: string): string => {
  if (!HEADER_NAME.test(text)) throw new RangeError(`"${text}" is not a header name of letters, digits and -`);
  return text;
};

/** The headers of deliveries that an installation names. Config lets no endpoint have headers of these names. */
export class HeaderSettings {
  @Setting({
    env: 'SIGNATURE_HEADER',
    meaning: 'the header with the plain HMAC of the body',
    default: 'X-Service-Signature',
    parse: asHeaderName,
  })
  readonly signatureHeader: string;

  @Setting({
    env: 'TEST_HEADER',
    meaning: 'the header that marks a test send',
    default: 'X-Service-Test',
    parse: asHeaderName,
  })
  readonly testHeader: string;
}
