import { escapeUnprintable } from '@form-webhooks/domain';
import { loadSettings, SettingsError } from '@form-webhooks/settings';
import { createDataSource, type DataSource } from '@form-webhooks/storage';
import type { CommandSettings } from './command-settings.js';

/** Where a command says what it finds. */
export type Say = (line: string) => void;

/** Runs one command on the database and ends the process: 0 if all is well, 1 if it found something, 2 if it failed. */
export async function runCommand<S extends CommandSettings>(
  Settings: new () => S,
  work: (dataSource: DataSource, settings: S, say: Say) => Promise<boolean>,
): Promise<never> {
  try {
    const settings = loadSettings(Settings, process.env);
    const dataSource = createDataSource({
      url: settings.database.url,
      applicationName: 'form-webhooks command',
      poolSize: 2,
      statementTimeoutMs: 60_000,
      onIdleError: () => undefined,
    });
    await dataSource.initialize();
    const fine = await work(dataSource, settings, (line) => process.stdout.write(`${escapeUnprintable(line)}\n`));
    await dataSource.destroy();
    process.exit(fine ? 0 : 1);
  } catch (error) {
    const text = error instanceof SettingsError ? error.message : `failed: ${(error as Error).message}`;
    process.stderr.write(`${text.split('\n').map(escapeUnprintable).join('\n')}\n`);
    process.exit(2);
  }
}
