import { expect, it } from 'vitest';
import { Installation } from '../installation.js';
import type { OpsCall } from '../ops-command.js';
import { DOCTOR } from './doctor.js';

it.each([
  [{ nodes: 'three' }, '--nodes takes a whole number'],
  [{ nodes: '0' }, '--nodes takes a whole number'],
  [{ nodes: '3' }, '--members and --nodes need each other'],
  [{ members: 'members.json' }, '--members and --nodes need each other'],
  [{ definitions: 'package.json' }, 'package.json is not what it should be: this is no output of rabbitmqctl'],
])('doctor looks at nothing, and calls nothing well, when it is called wrongly: %j', async (values, words) => {
  const call = { values, args: [], installation: new Installation('a test', {}) };
  await expect(DOCTOR.run(call as unknown as OpsCall)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
  });
});
