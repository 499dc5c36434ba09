export type { DeniedConnection, NameResolver } from './permitted-addresses.js';
export type { SentResponse } from './response/response-capture.js';
export type { SenderOptions } from './sender-options.js';
export {
  Sender,
  type SealedBody,
  type SendRequest,
  type SentAttempt,
  type UrlCheck,
  type UrlCheckCode,
} from './sender.js';
export { readCertificates } from './connection/trusted-roots.js';
