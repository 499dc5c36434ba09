import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../apps/config/src/ops/commands/commands.js';
import { anchorsOf } from './pages.js';
import { filesBelow, readText } from './repository.js';

describe("the operator's command line", () => {
  const page = readText('docs/ops.md');

  it('has each of its commands on its page', () => {
    const headings = anchorsOf(page);
    const missing = COMMANDS.filter(({ name }) => !headings.some((heading) => heading.includes(name.split(' ')[0]!)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('sends operators only to paragraphs that exist', () => {
    const sources = filesBelow('apps/config/src/ops', '.ts').filter((file) => !file.endsWith('.spec.ts'));
    const named = sources.flatMap((file) => [...readText(file).matchAll(/docs\/([\w-]+\.md)(?:#([\w-]+))?/g)]);
    expect(named.length).toBeGreaterThan(20);
    const broken = named.filter(([, file, anchor]) => {
      const anchors = anchorsOf(readText(`docs/${file}`));
      return anchor !== undefined && !anchors.includes(anchor);
    });
    expect(broken.map(([whole]) => whole)).toEqual([]);
  });
});
