import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installationSecrets } from './installation-secrets.js';
import { refreshRights, writeSecrets } from './write-secrets.js';

const FILES = { 'config/secret-keys': 'k1:x', 'dispatcher/rabbitmq-url': 'amqp://h' };

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'form-webhooks-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('writeSecrets', () => {
  it('lets nobody else on this machine read what it writes', () => {
    const folder = emptyFolder();
    expect(writeSecrets(folder, FILES, 'owner')).toBe(true);
    for (const [name, content] of Object.entries(FILES)) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
      expect(modeOf(join(folder, name)), name).toBe(0o600);
    }
    expect(modeOf(join(folder, 'config'))).toBe(0o700);
  });

  it('lets a service that runs as another user read its volume, where it is told to', () => {
    const folder = emptyFolder();
    writeSecrets(folder, FILES, 'everybody');
    expect(modeOf(join(folder, 'config/secret-keys'))).toBe(0o444);
  });

  it('changes nothing where it has been, and leaves nothing half written', () => {
    const folder = emptyFolder();
    writeSecrets(folder, FILES, 'owner');
    expect(writeSecrets(folder, { 'config/secret-keys': 'k1:other' }, 'owner')).toBe(false);
    expect(readFileSync(join(folder, 'config/secret-keys'), 'utf8')).toBe('k1:x');
    expect(readdirSync(join(folder, 'config')).toSorted()).toEqual(['complete', 'secret-keys']);
  });
});

describe('refreshRights', () => {
  const DEFINITIONS = 'broker/definitions.json';

  it("gives the broker's users the rights of this version, and keeps their passwords and what others added", () => {
    const folder = emptyFolder();
    const made = installationSecrets({ broker: 'h', database: 'h' })[DEFINITIONS]!;
    const former = JSON.parse(made) as { permissions: { user: string; vhost: string; write: string }[] };
    const added = { user: 'monitoring', vhost: '/', configure: '^$', write: '^$', read: '.*' };
    former.permissions = [{ ...former.permissions[0]!, write: '^former$' }, added];
    writeSecrets(folder, { [DEFINITIONS]: JSON.stringify(former) }, 'owner');
    expect(refreshRights(folder, 'owner')).toBe(true);
    const now = JSON.parse(readFileSync(join(folder, DEFINITIONS), 'utf8')) as typeof former;
    const wanted = JSON.parse(made) as typeof former;
    expect(now).toEqual({ ...wanted, permissions: [...wanted.permissions, added] });
    expect(modeOf(join(folder, DEFINITIONS))).toBe(0o600);
    expect(refreshRights(folder, 'owner')).toBe(false);
  });

  it('changes nothing where the definitions are this version’s, or not kept', () => {
    const folder = emptyFolder();
    expect(refreshRights(folder, 'owner')).toBe(false);
    writeSecrets(folder, installationSecrets({ broker: 'h', database: 'h' }), 'owner');
    expect(refreshRights(folder, 'owner')).toBe(false);
  });
});
