import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withoutPlugins } from './programs-without-plugins.js';

const root = mkdtempSync(join(tmpdir(), 'form-webhooks-programs-'));
afterAll(() => rmSync(root, { recursive: true }));

const home = join(root, 'installed');
const applications = { 'rabbit-3.10.8': 'kernel', 'rabbitmq_web-3.10.8': 'rabbit', 'ra-2.0': 'kernel' };
for (const [name, needed] of Object.entries(applications)) {
  mkdirSync(join(home, 'plugins', name, 'ebin'), { recursive: true });
  writeFileSync(join(home, 'plugins', name, 'ebin', 'x.app'), `{application, x, [{applications, [${needed}]}]}.`);
}
mkdirSync(join(home, 'bin'));
for (const name of ['rabbitmq-server', 'rabbitmqctl']) writeFileSync(join(home, 'bin', name), '#!/bin/sh\n');
const installed = {
  server: join(home, 'bin', 'rabbitmq-server'),
  ctl: join(home, 'bin', 'rabbitmqctl'),
  epmd: '/usr/bin/epmd',
  erlCall: undefined,
};

describe('the programs of a private broker', () => {
  it.each(['programs', 'prögramme-1_a'])('lie in the folder %s, which lacks the plugins', (name) => {
    const folder = join(root, name);
    expect(withoutPlugins(installed, folder)).toEqual({
      ...installed,
      server: join(folder, 'bin', 'rabbitmq-server'),
      ctl: join(folder, 'bin', 'rabbitmqctl'),
    });
    const has = (library: string): boolean => existsSync(join(folder, 'plugins', library, 'ebin', 'x.app'));
    expect(Object.keys(applications).filter(has)).toEqual(['rabbit-3.10.8', 'ra-2.0']);
  });

  it.each(['two words', 'a:b', 'a*', 'a?', '[a]'])(
    'are the installed ones where their scripts could not be: in %s',
    (name) => {
      const folder = join(root, name, 'programs');
      expect(withoutPlugins(installed, folder)).toEqual(installed);
      expect(existsSync(folder)).toBe(false);
    },
  );
});
