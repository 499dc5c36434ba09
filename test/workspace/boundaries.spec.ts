import { join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
let eslint: ESLint;

beforeAll(() => {
  // No rule that is tried here asks for types, and reading the whole workspace for them takes half a minute.
  const withoutTypes = [
    tseslint.configs.disableTypeChecked,
    { files: ['**/*.ts'], languageOptions: { parserOptions: { project: null } } },
  ];
  // The rule reads nx's cached graph of projects; without one it would be skipped in silence.
  eslint = new ESLint({ cwd: root, overrideConfig: withoutTypes as Linter.Config[] });
});

/** What the boundary rule, or another, says of a file of the workspace if it held this text. */
async function refusals(file: string, text: string, rule = '@nx/enforce-module-boundaries'): Promise<string[]> {
  const results = await eslint.lintText(text, { filePath: join(root, file) });
  const messages = results.flatMap((result) => result.messages);
  const broken = messages.find(({ fatal }) => fatal);
  if (broken) throw new Error(`${file} could not be linted: ${broken.message}`);
  return messages.filter(({ ruleId }) => ruleId === rule).map(({ message }) => message);
}

describe('lint refuses', () => {
  it.each([
    ['a domain that knows a framework', 'libs/domain/src/ids.ts', `import '@nestjs/common';`],
    ['a domain that knows an adapter', 'libs/domain/src/ids.ts', `import '@form-webhooks/broker';`],
    ['an adapter that knows another', 'libs/sender/src/sender.ts', `import '@form-webhooks/broker';`],
    ['an HTTP edge that knows the broker', 'libs/http-edge/src/network-of.ts', `import '@form-webhooks/broker';`],
    ['an HTTP edge that knows the database', 'libs/http-edge/src/network-of.ts', `import 'typeorm';`],
    ['ingest with a way to the internet', 'apps/ingest/src/main.ts', `import '@form-webhooks/sender';`],
    ['config with a way to the internet', 'apps/config/src/settings.ts', `import '@form-webhooks/sender';`],
    ['a sender with a second client', 'libs/sender/src/sender.ts', `import 'got';`],
    ['config that sends by itself', 'apps/config/src/settings.ts', `import 'got';`],
    ['a dispatcher with a database', 'apps/dispatcher/src/main.ts', `import '@form-webhooks/storage';`],
    ['a dispatcher with an API', 'apps/dispatcher/src/main.ts', `import '@form-webhooks/http-edge';`],
    ['an app that speaks AMQP past the broker layer', 'apps/ingest/src/main.ts', `import 'amqplib';`],
    ['an app that imports another app', 'apps/ingest/src/main.ts', `import '@form-webhooks/dispatcher';`],
    ['a page that knows an adapter', 'apps/dashboard/src/main.tsx', `import '@form-webhooks/storage';`],
    ['a service that imports the page', 'apps/config/src/main.ts', `import '../../dashboard/src/main.js';`],
    ["a receiver's kit with dependencies", 'libs/receiver/src/index.ts', `import '@form-webhooks/domain';`],
  ])('%s', async (_name, file, text) => {
    expect(await refusals(file, text)).not.toEqual([]);
  });

  it.each([
    ['by its decorator', `@Global()\nexport class SomeModule {}`],
    ['by its metadata', `export const some = { module: Object, global: true };`],
  ])('a module that is global %s', async (_how, text) => {
    const told = await refusals('apps/config/src/app.module.ts', text, 'no-restricted-syntax');
    expect(told).toEqual(['No module is global: whoever needs one imports it.']);
  });
});

describe('lint allows', () => {
  it.each([
    ['the dispatcher its sender', 'apps/dispatcher/src/main.ts', `import '@form-webhooks/sender';`],
    ['config its database', 'apps/config/src/settings.ts', `import '@form-webhooks/storage';`],
    ['ingest the HTTP edge', 'apps/ingest/src/main.ts', `import '@form-webhooks/http-edge';`],
    ['config the HTTP edge', 'apps/config/src/settings.ts', `import '@form-webhooks/http-edge';`],
    ['every app the domain', 'apps/ingest/src/main.ts', `import '@form-webhooks/domain';`],
  ])('%s', async (_name, file, text) => {
    expect(await refusals(file, text)).toEqual([]);
  });
});
