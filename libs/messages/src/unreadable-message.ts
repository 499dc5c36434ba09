/** A message that can't be read as what its queue carries; the sentence says why and is safe to show. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}
