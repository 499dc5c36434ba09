import 'reflect-metadata';
import { auditedWorkspaces, verifyAuditChain } from '@form-webhooks/storage';
import { CommandSettings } from './command-settings.js';
import { intactLine, readKnownHeads } from './known-heads.js';
import { runCommand } from './run-command.js';

/**
 * `node apps/config/dist/commands/verify-audit-log.js [file]`: recomputes every workspace's chain. Its lines are worth
 * keeping elsewhere: given back as the file, they prove that the entries before are still the same.
 */
await runCommand(CommandSettings, async (dataSource, _settings, say) => {
  const [, , file] = process.argv;
  const known = file === undefined ? undefined : await readKnownHeads(file);
  const workspaces = new Set([...(await auditedWorkspaces(dataSource)), ...(known?.keys() ?? [])]);
  let broken = 0;
  for (const workspaceId of workspaces) {
    const chain = await verifyAuditChain(dataSource, workspaceId, known?.get(workspaceId));
    if ('what' in chain) {
      broken++;
      say(`BROKEN ${workspaceId} at entry ${chain.seq}: ${chain.what}`);
    } else say(intactLine(chain));
  }
  say(broken === 0 ? 'the audit log is intact' : `${broken} chains are broken`);
  return broken === 0;
});
