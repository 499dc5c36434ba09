import { readFile } from 'node:fs/promises';
import type { BrokenChain, KnownHead, VerifiedChain } from '@form-webhooks/storage';

const INTACT = /^intact (\S+): (\d+) entries, head ([0-9a-f]{64})$/;

/** The line that tells of an intact chain; `readKnownHeads` reads it again. */
export const intactLine = ({ workspaceId, entries, head }: VerifiedChain): string =>
  `intact ${workspaceId}: ${entries} entries, head ${head}`;

/** A chain for programs, as the API spells its members. */
export const chainDocument = ({ workspaceId, ...found }: VerifiedChain | BrokenChain) => ({
  workspace_id: workspaceId,
  ...found,
});

/**
 * The heads in what an earlier verification printed.
 * @throws Error if the file can't be read or has no such line: a comparison with nothing would prove nothing
 */
export async function readKnownHeads(file: string): Promise<ReadonlyMap<string, KnownHead>> {
  const heads = new Map<string, KnownHead>();
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const [, workspaceId, entries, head] = INTACT.exec(line) ?? [];
    if (workspaceId !== undefined) heads.set(workspaceId, { entries: Number(entries), head: head! });
  }
  if (heads.size === 0) throw new Error(`${file} holds no line "intact <workspace>: <n> entries, head <hash>"`);
  return heads;
}
