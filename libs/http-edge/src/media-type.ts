/** No blank can be taken by two of its parts: a long row of blanks would else cost its length squared. */
const JSON_TYPE = /^application\/json[\t ]*(?:;[\t ]*(?:charset[\t ]*=[\t ]*"?utf-?8"?[\t ]*(?:;[\t ]*)?)?)?$/i;

/** True for `application/json`, with or without saying that it is UTF-8. */
export const isJsonType = (contentType: string): boolean => JSON_TYPE.test(contentType);

/** True for bytes that are what they are. */
export const isPlainEncoding = (contentEncoding: string | undefined): boolean =>
  contentEncoding === undefined || contentEncoding === '' || contentEncoding.toLowerCase() === 'identity';
