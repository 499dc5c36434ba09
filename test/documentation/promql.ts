/** What a PromQL expression names. */
export interface Named {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/** What our rules and boards use of the language; a word that is not here counts as a metric. */
const WORDS = new Set(
  [
    'abs',
    'absent',
    'and',
    'count',
    'delta',
    'histogram_quantile',
    'increase',
    'max',
    'min',
    'or',
    'rate',
    'sum',
    'vector',
  ].concat('by'),
);

/** The metrics and labels of an expression, read as far as our rules and boards need it. */
export function namesIn(expression: string): Named {
  const selectors = [...expression.matchAll(/\{([^}]*)\}/g)].map(([, inside]) => inside!);
  const groupings = [...expression.matchAll(/\bby \(([^)]*)\)/g)].map(([, inside]) => inside!);
  const matched = selectors.flatMap((inside) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name!),
  );
  const grouped = groupings.flatMap((inside) => inside.split(',').map((name) => name.trim()));
  const rest = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bby \([^)]*\)/g, '')
    .replace(/\[\w+\]/g, '')
    .replace(/\boffset \w+/g, '');
  const words = [...rest.matchAll(/[a-zA-Z_:][\w:]*/g)].map(([word]) => word);
  return { metrics: words.filter((word) => !WORDS.has(word)), labels: [...matched, ...grouped] };
}
