/** Config can't be asked or its answer is not to be trusted, and nothing is cached: whoever needs the answer waits on a delay queue. */
export class FormUnknown extends Error {
  override readonly name = 'FormUnknown';
}
