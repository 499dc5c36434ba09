import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chainDocument, intactLine, readKnownHeads } from './known-heads.js';

const folder = await mkdtemp(join(tmpdir(), 'form-webhooks-heads-'));
afterAll(() => rm(folder, { recursive: true }));

const written = async (text: string): Promise<string> => {
  const file = join(folder, 'heads.txt');
  await writeFile(file, text);
  return file;
};

it("a chain is told programs with the API's spelling", () => {
  const intact = chainDocument({ workspaceId: 'ws_1', entries: 12, head: 'a1' });
  expect(intact).toEqual({ workspace_id: 'ws_1', entries: 12, head: 'a1' });
});

describe('the heads of an earlier verification', () => {
  const head = 'a1'.repeat(32);

  it('are read from what it printed, also from among other lines', async () => {
    const lines = [
      intactLine({ workspaceId: 'ws_1', entries: 12, head }),
      `BROKEN ws_2 at entry 3: its text or hash was changed`,
      intactLine({ workspaceId: '-', entries: 0, head: head.replace('a', 'b') }),
      '1 chains are broken',
    ];
    const heads = await readKnownHeads(await written(`${lines.join('\n')}\n`));
    expect([...heads]).toEqual([
      ['ws_1', { entries: 12, head }],
      ['-', { entries: 0, head: head.replace('a', 'b') }],
    ]);
  });

  it('are read from its document as well, also behind the lines that npm puts before it', async () => {
    const chains = [
      chainDocument({ workspaceId: 'ws_1', entries: 12, head }),
      chainDocument({ workspaceId: 'ws_2', seq: 3, what: 'its text or hash was changed' }),
    ];
    const document = JSON.stringify({ broken: 1, left: 0, chains });
    const heads = await readKnownHeads(await written(`\n> ops\n> node ops.js audit verify --json\n\n${document}\n`));
    expect([...heads]).toEqual([['ws_1', { entries: 12, head }]]);
  });

  it.each([
    '{"chains":[]}',
    '{"chains":[null,{}]}',
    '{"chains":{}}',
    '{',
    '',
    'the audit log is intact\n',
    `intact ws_1: 12 entries, head ${head.slice(1)}\n`,
  ])('are not taken from a file without any: %j', async (text) => {
    await expect(readKnownHeads(await written(text))).rejects.toThrow('holds no line "intact <workspace>');
  });

  it('are not taken from a file that is not there', async () => {
    await expect(readKnownHeads(join(folder, 'missing.txt'))).rejects.toThrow('ENOENT');
  });
});
