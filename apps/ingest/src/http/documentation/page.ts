import { createHash } from 'node:crypto';
import type { SchemaPart } from '@form-webhooks/http-edge';

const STYLE =
  'body{font:16px/1.5 system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}' +
  'pre{overflow:auto;padding:1rem;border:1px solid}';

/** Nothing is loaded and nothing runs; the one style is named by its hash. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** What of the document a page shows. */
interface Shown {
  readonly info: { readonly title: string; readonly description: string };
  readonly paths: Readonly<
    Record<string, { readonly post: { readonly responses: Record<string, { description: string }> } }>
  >;
  readonly components: {
    readonly schemas: {
      readonly Event: {
        readonly required: readonly string[];
        readonly properties: Readonly<Record<string, SchemaPart>>;
        readonly example: unknown;
      };
    };
  };
}

/** The document for people. */
export function renderPage(document: SchemaPart, documentPath: string): string {
  const { info, paths, components } = document as unknown as Shown;
  const [path, { post }] = Object.entries(paths)[0]!;
  const { required, properties, example } = components.schemas.Event;
  const members = Object.entries(properties).map(([name, member]) => [
    `<code>${escape(name)}</code>${required.includes(name) ? ' (required)' : ''}`,
    ruleOf(member),
  ]);
  const answers = Object.entries(post.responses).map(([status, { description }]) => [status, escape(description)]);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(info.title)}</title>`,
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>`,
    `<h1>${escape(info.title)}</h1><p>${escape(info.description)}</p>`,
    `<h2><code>POST ${escape(path)}</code></h2><pre>${escape(curlOf(path, example))}</pre>`,
    `<h2>The event</h2>${tableOf(members)}<h2>Answers</h2>${tableOf(answers)}`,
    `<p>For programs: <a href="${escape(documentPath)}">${escape(documentPath)}</a></p></body></html>`,
  ].join('\n');
}

function ruleOf({ type, enum: listed, pattern, description }: SchemaPart): string {
  const kinds = [type].flat().filter((kind) => kind !== 'null');
  const rule = Array.isArray(listed) ? listed.join(', ') : ((pattern as string | undefined) ?? kinds.join(', '));
  return `<code>${escape(rule)}</code>${typeof description === 'string' ? `<br>${escape(description)}` : ''}`;
}

const curlOf = (path: string, example: unknown): string =>
  [
    `curl -sS "$ingest${path}" -H "authorization: Bearer $key" \\`,
    `  -H 'content-type: application/json' -d '${JSON.stringify(example)}'`,
  ].join('\n');

const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map(([head, ...cells]) => `<tr><th scope="row">${head}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found]!);
