import { SealingSettings } from '@form-webhooks/settings';
import { resealSecrets, secretsByKey } from '@form-webhooks/storage';
import { counted } from '../../counted.js';
import { withDatabase } from '../connect.js';
import { EXIT, type OpsCommand } from '../ops-command.js';

/** Seals all secrets with the newest key. */
export const ROTATE_KEYS: OpsCommand = {
  name: 'keys rotate',
  takes: [],
  summary: 'seals every stored secret with the first key of SECRET_KEYS, and says which other keys may go',
  notes: [
    'Run it after the new key was put first in SECRET_KEYS and every service was restarted with it. It can be stopped',
    'and repeated. Wait CACHE_MAX_AGE (60 s) before an old key is taken out: docs/operations.md#keys-and-secrets',
  ],
  async run({ installation, output, signal }) {
    const { keyRing } = installation.settings(SealingSettings);
    return withDatabase(installation, async (dataSource) => {
      const sealed = await resealSecrets(
        dataSource,
        keyRing,
        (count) => output.progress(`${count} sealed anew`),
        signal,
      );
      const left = await secretsByKey(dataSource);
      const rest = [...left.keys()].filter((keyId) => keyId !== keyRing.activeKeyId);
      output.result({ sealed, secrets_by_key: Object.fromEntries(left), still_in_use: rest }, [
        ...[...left].map(([keyId, secrets]) => `key ${keyId} seals ${counted(secrets, 'secret', 'secrets')}`),
        rest.length === 0 ? `done: ${sealed} sealed anew, every other key may go` : `still in use: ${rest.join(', ')}`,
      ]);
      if (rest.length > 0 && signal.aborted) return EXIT.interrupted;
      return rest.length === 0 ? EXIT.fine : EXIT.found;
    });
  },
};
