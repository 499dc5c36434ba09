import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, codeWords, linksOf, pages } from './pages.js';
import { filesBelow, readText, ROOT } from './repository.js';

const all = pages();
const scripts = Object.keys((JSON.parse(readText('package.json')) as { scripts: object }).scripts);

/** A link within the repository: to which file, and where in it. */
function locate(file: string, target: string): { readonly file: string; readonly anchor: string | undefined } {
  const [path, anchor] = target.split('#') as [string, string | undefined];
  return { file: path === '' ? file : normalize(join(dirname(file), path)), anchor };
}

describe.each(all.map(({ file, text }) => [file, text] as const))('%s', (file, text) => {
  it('links only to what exists', () => {
    const broken = linksOf(text)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const to = locate(file, target);
        if (!existsSync(join(ROOT, to.file))) return true;
        return to.anchor !== undefined && !anchorsOf(readText(to.file)).includes(to.anchor);
      });
    expect(broken).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const paths = [...text.matchAll(/(?<![\w/.@-])(?:apps|libs|deploy|docs|test)\/[\w./-]*\w/g)].map(([path]) => path);
    // What is built comes from a source of the same name, and so does what it is bundled into.
    const sources = paths.map((path) => path.replace(/\/dist\/(?:bundle\/)?/, '/src/').replace(/\.js$/, '.ts'));
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

describe('the documentation', () => {
  it('names only variables and constants that some source knows', () => {
    const sources = ['apps', 'libs', 'deploy', 'docs/examples']
      .flatMap((folder) => ['.ts', '.mjs'].flatMap((ending) => filesBelow(folder, ending)))
      .concat('deploy/images/Dockerfile')
      .map(readText)
      .join('\n');
    const known = new Set(sources.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g));
    const named = all
      .flatMap(({ text }) => codeWords(text))
      .flatMap((word) => word.match(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g) ?? []);
    // Every secret can be given as a file.
    const isKnown = (name: string): boolean => known.has(name) || known.has(name.replace(/_FILE$/, ''));
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });

  it('lists every decision', () => {
    const decisions = filesBelow('docs/decisions', '.md').filter((file) => !file.endsWith('README.md'));
    const listed = linksOf(readText('docs/decisions/README.md')).map((target) => join('docs/decisions', target));
    expect(new Set(listed)).toEqual(new Set(decisions));
    const numbers = decisions.map((file) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]);
    expect(numbers.toSorted()).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
  });
});
