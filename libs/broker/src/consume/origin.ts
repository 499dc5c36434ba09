import { MAX_MOMENT_MS } from '@form-webhooks/domain';
import type { IncomingMessage } from './verdict.js';

const MAX_NAME_LENGTH = 128;
/** The property counts seconds. */
const LATEST_SECOND = Math.floor(MAX_MOMENT_MS / 1_000);

/** When a message was sent and by whom, as far as its publisher said so. */
export function originOf(properties: Readonly<Record<string, unknown>>): Pick<IncomingMessage, 'sentAt' | 'sentBy'> {
  const { timestamp } = properties;
  const name = [properties['userId'], properties['appId']].find((one) => typeof one === 'string' && one !== '');
  const isMoment = typeof timestamp === 'number' && timestamp > 0 && timestamp <= LATEST_SECOND;
  return {
    ...(isMoment ? { sentAt: timestamp * 1_000 } : {}),
    ...(typeof name === 'string' ? { sentBy: name.slice(0, MAX_NAME_LENGTH) } : {}),
  };
}
