import { escapeUnprintable, rfc3339 } from '@form-webhooks/domain';
import { pino } from 'pino';
import { eventNameOf } from './event-name.js';
import { CONTENTS } from './remove-contents.js';

/** All but printable ASCII, and of that what JSON escapes: the rest is written as it stands. */
const NEEDS_CARE = /[^ !#-[\]-~]/;
/** What no fact of a plain line is called: contents are removed, an error is cut short, a name has its place at the end. */
const HAS_A_RULE: ReadonlySet<string> = new Set([...CONTENTS, 'err', 'event_name']);
/** Facts have names from our code; what a library says varies, and is not remembered beyond this. */
const MOST_REMEMBERED = 512;

/** How a member begins, by its name; null if it needs care. */
const beginnings = new Map<string, string | null>();

/**
 * Writes lines by themselves whose facts are texts, numbers, booleans and null, none of which needs care. Nearly all are,
 * such as the one for each event and for each attempt. For those it is the same as what pino writes with our hooks, which
 * copy the facts and look at each for a serializer, for contents and for characters to escape [measured: five times the
 * time of this].
 */
export class PlainLines {
  private readonly about: string;

  /** @param about what every line says of the service */
  constructor(about: object) {
    this.about = escapeUnprintable(JSON.stringify(about).slice(1, -1));
  }

  /**
   * @param level pino's number
   * @param args what the logger was called with
   * @returns undefined if anything of it needs care: an object, an error, a quote, a letter beyond ASCII
   */
  lineOf(level: number, args: readonly unknown[]): string | undefined {
    const [facts, text] = factsAndText(args);
    if (typeof text !== 'string' || NEEDS_CARE.test(text) || facts instanceof Error) return undefined;
    const members = membersOf(facts);
    if (members === undefined) return undefined;
    const start = `{"level":"${pino.levels.labels[level]}","time":"${rfc3339(Date.now())}",${this.about}`;
    return `${start}${members},"event_name":"${eventNameOf(text)}","msg":"${text}"}\n`;
  }
}

const NO_FACTS = {};

/** What a logger was called with: the facts and the text, or the text of a line without facts. */
export const factsAndText = ([first, second]: readonly unknown[]): [facts: object, text: unknown] =>
  typeof first === 'object' && first !== null ? [first, second] : [NO_FACTS, first];

function membersOf(facts: object): string | undefined {
  let members = '';
  // Looked at as one: to begin with a search costs more than to go on with it.
  let texts = '';
  for (const name of Object.keys(facts)) {
    const value = (facts as Record<string, unknown>)[name];
    const beginning = beginningOf(name);
    if (beginning === null) return undefined;
    if (typeof value === 'string') {
      members += `${beginning}"${value}"`;
      texts += value;
    } else if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
      members += beginning + String(value);
    } else if (value !== undefined) return undefined;
  }
  return NEEDS_CARE.test(texts) ? undefined : members;
}

function beginningOf(name: string): string | null {
  const known = beginnings.get(name);
  if (known !== undefined) return known;
  const beginning = HAS_A_RULE.has(name) || NEEDS_CARE.test(name) ? null : `,"${name}":`;
  if (beginnings.size < MOST_REMEMBERED) beginnings.set(name, beginning);
  return beginning;
}
