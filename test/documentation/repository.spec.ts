import { expect, it } from 'vitest';
import { isOurs } from './repository.js';

it('what the pages have somebody write into a clone is not read as part of it', () => {
  const left = [
    'start.log',
    'secrets',
    '.local',
    'apps/config/dist',
    'node_modules',
    'libs/domain/tsconfig.tsbuildinfo',
  ];
  expect(left.filter(isOurs)).toEqual([]);
  const ours = [
    'libs/domain/src/secrets',
    'docs/logs-and-traces.md',
    'test',
    '.gitignore',
    'libs/telemetry/src/logging',
  ];
  expect(ours.filter(isOurs)).toEqual(ours);
});
