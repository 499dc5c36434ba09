import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { filesBelow, readText, ROOT } from '../documentation/repository.js';

const PAGE = join(import.meta.dirname, 'browser/page.ts');
const FOR_SERVERS = /^(@nestjs\/|class-validator|class-transformer)/;

/** What is imported, directly or not, by an entry that is bundled for browsers, and the bundle. */
async function bundle(entry: string): Promise<{ readonly imports: string[]; readonly code: string }> {
  const imports: string[] = [];
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@form-webhooks/source', 'browser', 'module'] },
    plugins: [{ name: 'imports', enforce: 'pre', resolveId: (specifier) => void imports.push(specifier) }],
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  const chunks = (output as Rolldown.RolldownOutput[]).flatMap((one) => one.output);
  return { imports, code: chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join() };
}

const foreignTo = (imports: readonly string[]): string[] =>
  imports.filter((specifier) => isBuiltin(specifier) || FOR_SERVERS.test(specifier));

describe('a page that imports enumerations and shapes', () => {
  it('is bundled without Nest, its validation and the modules of Node.js', async () => {
    const { imports, code } = await bundle(PAGE);
    expect(imports).toEqual(
      expect.arrayContaining(['@form-webhooks/domain/enumerations', '@form-webhooks/http-api/shapes']),
    );
    expect(foreignTo(imports)).toEqual([]);
    expect(code).toContain('submission_erased');
    expect(code).toContain('deliveries:replay');
  });

  it('would be found out if it took the whole package', async () => {
    const whole = await bundle(join(ROOT, 'libs/domain/src/index.ts'));
    expect(foreignTo(whole.imports)).toContain('node:crypto');
  });

  it('has its types, by the built packages, where there are those of the DOM alone', () => {
    const program = ts.createProgram([PAGE], {
      lib: ['lib.dom.d.ts', 'lib.es2023.d.ts'],
      types: [],
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      skipDefaultLibCheck: true,
      noEmit: true,
    });
    const complaints = ts.getPreEmitDiagnostics(program);
    expect(complaints.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    const read = program.getSourceFiles().map(({ fileName }) => fileName);
    expect(read).toContainEqual(expect.stringContaining('libs/http-api/dist/replays/replay.dto.d.ts'));
    expect(read.filter((file) => /node_modules\/(?!typescript\/lib\/)/.test(file))).toEqual([]);
  });

  it('finds the shape of every DTO', () => {
    const shapes = readText('libs/http-api/src/shapes.ts');
    const dtos = filesBelow('libs/http-api/src', '.dto.ts').map((file) => file.slice('libs/http-api/src/'.length));
    expect(dtos.length).toBeGreaterThan(0);
    expect(dtos.filter((file) => !shapes.includes(`'./${file.replace(/\.ts$/, '.js')}'`))).toEqual([]);
  });
});
