import 'reflect-metadata';
import { resealSecrets, secretsByKey } from '@form-webhooks/storage';
import { KeyCommandSettings } from './command-settings.js';
import { runCommand } from './run-command.js';

/**
 * `node apps/config/dist/commands/reseal-secrets.js`: after a new key was put first in `SECRET_KEYS` and every service
 * was restarted with it, seals all secrets with it and says which old keys may go. Dispatchers cache sealed secrets for
 * a minute at most: wait that long before an old key is taken out.
 */
await runCommand(KeyCommandSettings, async (dataSource, { sealing: { keyRing } }, say) => {
  const done = await resealSecrets(dataSource, keyRing, (count) => say(`${count} secrets sealed anew`));
  const left = await secretsByKey(dataSource);
  for (const [keyId, secrets] of left) say(`key ${keyId} seals ${secrets} secrets`);
  const rest = [...left.keys()].filter((keyId) => keyId !== keyRing.activeKeyId);
  say(rest.length === 0 ? `done: ${done} sealed anew, every other key may go` : `still in use: ${rest.join(', ')}`);
  return rest.length === 0;
});
