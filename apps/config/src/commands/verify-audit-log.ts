import 'reflect-metadata';
import { auditedWorkspaces, verifyAuditChain } from '@form-webhooks/storage';
import { DatabaseSettings } from './command-settings.js';
import { runCommand } from './run-command.js';

/**
 * `node apps/config/dist/commands/verify-audit-log.js`: recomputes every workspace's chain. Its lines are worth keeping
 * elsewhere: a head that was printed once proves that the entries before it are still the same.
 */
await runCommand(DatabaseSettings, async (dataSource, _settings, say) => {
  let broken = 0;
  for (const workspaceId of await auditedWorkspaces(dataSource)) {
    const chain = await verifyAuditChain(dataSource, workspaceId);
    if ('what' in chain) {
      broken++;
      say(`BROKEN ${workspaceId} at entry ${chain.seq}: ${chain.what}`);
    } else say(`intact ${workspaceId}: ${chain.entries} entries, head ${chain.head}`);
  }
  say(broken === 0 ? 'the audit log is intact' : `${broken} chains are broken`);
  return broken === 0;
});
