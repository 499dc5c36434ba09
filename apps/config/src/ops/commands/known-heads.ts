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
 * The heads in what an earlier verification printed, for people or with `--json`.
 * @throws Error if the file can't be read or has none: a comparison with nothing would prove nothing
 */
export async function readKnownHeads(file: string): Promise<ReadonlyMap<string, KnownHead>> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const heads = new Map(lines.flatMap((line) => (line.startsWith('{') ? headsOfDocument(line) : headOfLine(line))));
  if (heads.size === 0) {
    const line = '"intact <workspace>: <n> entries, head <hash>"';
    throw new Error(`${file} holds no line ${line}, and no intact chain as JSON`);
  }
  return heads;
}

type NamedHead = readonly [workspaceId: string, head: KnownHead];

function headOfLine(line: string): NamedHead[] {
  const [, workspaceId, entries, head] = INTACT.exec(line) ?? [];
  return workspaceId === undefined ? [] : [[workspaceId, { entries: Number(entries), head: head! }]];
}

/** Read as their lines: so what is no intact chain is left out here as well. */
function headsOfDocument(text: string): NamedHead[] {
  const { chains } = asDocument(text);
  if (!Array.isArray(chains)) return [];
  return (chains as readonly (Partial<IntactDocument> | null)[]).flatMap((chain) =>
    headOfLine(`intact ${chain?.workspace_id}: ${chain?.entries} entries, head ${chain?.head}`),
  );
}

interface IntactDocument {
  readonly workspace_id: string;
  readonly entries: number;
  readonly head: string;
}

/** A line of something else can begin like one. */
function asDocument(text: string): { readonly chains?: unknown } {
  try {
    return JSON.parse(text) as { readonly chains?: unknown };
  } catch {
    return {};
  }
}
