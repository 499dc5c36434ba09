/** A message as its publisher has it; SafePublisher makes it persistent. */
export interface OutgoingMessage {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly messageId?: string;
  /** Who sent it first, of what is moved; 255 bytes at most. */
  readonly appId?: string;
  /** When that was, in whole seconds since the epoch. */
  readonly timestamp?: number;
}
