import { parse } from 'yaml';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}
interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

/** What part of an alert's expression is replaced by what. */
export type Changes = Readonly<Record<string, readonly [from: string, to: string]>>;

/** Two evaluations after the first: what is true at a single one fires nothing, as in production. */
const FOR = '2s';
/** Config counts a queue each ten seconds: one count in a moment without its consumer fires nothing either. */
const FOR_OF_QUEUES = '12s';
/** Long enough that what a fault has counted is still seen when the last of its alerts is looked for. */
const RANGE = '[1m]';

/** The names of all alerts, in the order of the file. */
export const alertNames = (text: string): readonly string[] =>
  (parse(text) as Rules).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

/**
 * The same rules for a test of minutes: whatever waits waits for seconds, whatever looks back looks back a minute. The
 * expressions are otherwise the very same, but for the changes that are named.
 * @throws Error if a change does not fit its alert exactly once: then the rules were changed, and it has to be thought over
 */
export function shortenedRules(text: string, changes: Changes): string {
  const { groups } = parse(text) as Rules;
  const unknown = Object.keys(changes).filter((name) => !alertNames(text).includes(name));
  if (unknown.length > 0) throw new Error(`no such alerts: ${unknown.join(', ')}`);
  const shortened = groups.map((group) => ({ ...group, rules: group.rules.map((rule) => shorten(rule, changes)) }));
  // JSON is YAML too.
  return JSON.stringify({ groups: shortened });
}

function shorten(rule: Rule, changes: Changes): Rule {
  const expr = changed(rule, changes[rule.alert]).replaceAll(/\[\d+[smhd]\]/g, RANGE);
  if (rule.for === undefined) return { ...rule, expr };
  return { ...rule, expr, for: expr.includes('broker_queue_') ? FOR_OF_QUEUES : FOR };
}

function changed({ alert, expr }: Rule, change: Changes[string] | undefined): string {
  if (change === undefined) return expr;
  const [from, to] = change;
  if (expr.split(from).length !== 2) throw new Error(`"${from}" is not once in the expression of ${alert}`);
  return expr.replace(from, to);
}
