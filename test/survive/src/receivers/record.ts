import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** One POST as its receiver saw it; the receivers' record of them is the judge of a run. */
export interface RecordedPost {
  /** When it had arrived whole, ms since the epoch. */
  readonly at: number;
  readonly path: string;
  readonly deliveryId: string;
  readonly marker: number;
  /** 0 if it was not answered. */
  readonly status: number;
  readonly signed: boolean;
}

export const writePost = (post: RecordedPost): string =>
  `${post.at} ${post.path} ${post.deliveryId} ${post.marker} ${post.status} ${post.signed ? 1 : 0}\n`;

function readPost(line: string): RecordedPost {
  const [at, path, deliveryId, marker, status, signed] = line.split(' ');
  if (path === undefined || deliveryId === undefined || signed === undefined) throw new Error(`not a post: ${line}`);
  return { at: Number(at), path, deliveryId, marker: Number(marker), status: Number(status), signed: signed === '1' };
}

/** The POSTs in the order in which their receivers had done with them. */
export async function* recordedPosts(file: string): AsyncGenerator<RecordedPost> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    yield readPost(line);
  }
}
