import { isJsonType, isPlainEncoding, unsupportedMediaType, type Problem } from '@form-webhooks/http-edge';

/** Why a request's body would not be read, if so. */
export function mediaTypeProblem(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Problem | undefined {
  if (contentType === undefined || !isJsonType(contentType)) {
    return unsupportedMediaType('send the event as content-type: application/json, in UTF-8');
  }
  if (!isPlainEncoding(contentEncoding)) return unsupportedMediaType('send the event uncompressed');
  return undefined;
}
