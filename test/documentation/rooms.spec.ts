import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, readText } from './repository.js';

const isSource = (file: string): boolean => /\.(?:ts|mjs)$/.test(file);

const files = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) => filesBelow(folder)).filter(isSource);
const rooms = [...new Set(files.map(dirname))].toSorted();
const listed = [...readText('docs/rooms.md').matchAll(/^- `([\w/-]+)`: /gm)].map(([, room]) => room!);

describe('docs/rooms.md', () => {
  it('names every folder with sources once', () => {
    expect(listed.filter((room) => !room.startsWith('docs/')).toSorted()).toEqual(rooms);
  });
});
