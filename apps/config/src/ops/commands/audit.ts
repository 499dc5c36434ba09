import { auditedWorkspaces, verifyAuditChain, type BrokenChain, type VerifiedChain } from '@form-webhooks/storage';
import { chainDocument, intactLine, readKnownHeads } from './known-heads.js';
import { withDatabase } from '../connect.js';
import { EXIT, OpsFailure, type OpsCommand } from '../ops-command.js';

/** Recomputes the audit log's chains. */
export const VERIFY_AUDIT: OpsCommand = {
  name: 'audit verify',
  takes: ['[heads_file]'],
  summary: "recomputes every workspace's chain of the audit log; ends with 1 if one is broken",
  notes: [
    'Keep what it prints where the owner of the database can not write: given back as the file it proves that the',
    'entries before are still the same. See docs/operations.md#audit-log',
  ],
  async run({ installation, output, args: [file], signal }) {
    const known = file === undefined ? undefined : await headsOf(file);
    return withDatabase(installation, async (dataSource) => {
      const workspaces = new Set([...(await auditedWorkspaces(dataSource)), ...(known?.keys() ?? [])]);
      const chains: (VerifiedChain | BrokenChain)[] = [];
      for (const workspaceId of workspaces) {
        if (signal.aborted) break;
        chains.push(await verifyAuditChain(dataSource, workspaceId, known?.get(workspaceId)));
      }
      const broken = chains.filter((chain) => 'what' in chain).length;
      const left = workspaces.size - chains.length;
      const end = broken > 0 ? `${broken} chains are broken` : left > 0 ? `${left} were not verified` : INTACT;
      output.result({ broken, left, chains: chains.map(chainDocument) }, [...chains.map(lineOf), end]);
      if (left > 0) return EXIT.interrupted;
      return broken === 0 ? EXIT.fine : EXIT.found;
    });
  },
};

const INTACT = 'the audit log is intact';

async function headsOf(file: string): ReturnType<typeof readKnownHeads> {
  try {
    return await readKnownHeads(file);
  } catch (error) {
    throw new OpsFailure((error as Error).message, 'give the file that an earlier `audit verify` printed', EXIT.usage);
  }
}

const lineOf = (chain: VerifiedChain | BrokenChain): string =>
  'what' in chain ? `BROKEN ${chain.workspaceId} at entry ${chain.seq}: ${chain.what}` : intactLine(chain);
