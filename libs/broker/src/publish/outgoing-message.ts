/** A message as its publisher has it; SafePublisher makes it persistent. */
export interface OutgoingMessage {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly messageId?: string;
}
