import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, readText } from './repository.js';

const MAX_SOURCES = 14;
const isSource = (file: string): boolean => /\.(?:tsx?|mjs)$/.test(file);
const isSpec = (file: string): boolean => file.endsWith('.spec.ts');

const files = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) => filesBelow(folder)).filter(isSource);
const rooms = [...new Set(files.map(dirname))].toSorted();
const listed = [...readText('docs/rooms.md').matchAll(/^- `([\w/-]+)`: /gm)].map(([, room]) => room!);

describe('docs/rooms.md', () => {
  it('names every folder with sources once', () => {
    expect(listed.filter((room) => !room.startsWith('docs/')).toSorted()).toEqual(rooms);
  });
});

describe('a folder', () => {
  it(`has at most ${MAX_SOURCES} source files, specs not counted`, () => {
    const crowded = rooms
      .map((room) => [room, files.filter((file) => dirname(file) === room && !isSpec(file)).length] as const)
      .filter(([, count]) => count > MAX_SOURCES);
    expect(crowded).toEqual([]);
  });
});
