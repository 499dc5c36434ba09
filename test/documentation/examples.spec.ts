import { spawnSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './repository.js';

const RIGHT = { CONFIG_URL: 'http://127.0.0.1:8081', SERVICE_KEY: 'fwk_1', PORT: '4000' };

const taken = createServer();
beforeAll(() => new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve)));
afterAll(() => void taken.close());

const takenPort = (): string => String((taken.address() as AddressInfo).port);

describe('the example of a page of the host product', () => {
  it.each([
    ['CONFIG_URL', () => undefined],
    ['CONFIG_URL', () => 'config'],
    ['SERVICE_KEY', () => undefined],
    ['PORT', () => 'abc'],
    ['PORT', () => '70000'],
    ['PORT', takenPort],
  ])('ends with one line about %s if that is not right', (name, given) => {
    const env = { ...RIGHT, [name]: given() };
    const file = join(ROOT, 'docs/examples/host-page.mjs');
    const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8', timeout: 20_000 });
    expect([status, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^.*${name}.*\n$`))]);
  });
});
