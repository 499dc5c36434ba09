import { parseArgs } from 'node:util';
import type { Demand } from './model.js';

/** The call can't be reckoned; the message says what to write. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall';
}

const OPTIONS = {
  deliveries: { type: 'string', default: '10000' },
  endpoints: { type: 'string', default: '3' },
  retries: { type: 'string', default: '0.1' },
  answer: { type: 'string', default: '0.3' },
  days: { type: 'string', default: '30' },
  nodes: { type: 'string', default: '3' },
  help: { type: 'boolean', default: false },
} as const;

/**
 * What the arguments of a call ask for; undefined if it is for help.
 * @throws WrongCall
 */
export function readDemand(args: readonly string[]): Demand | undefined {
  const values = readOptions(args);
  if (values.help) return undefined;
  return {
    deliveriesPerSecond: number(values, 'deliveries'),
    endpointsPerEvent: Math.max(1, number(values, 'endpoints')),
    retriesPerDelivery: number(values, 'retries'),
    answerSeconds: number(values, 'answer'),
    retentionDays: number(values, 'days'),
    brokerNodes: number(values, 'nodes'),
  };
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // What follows the first sentence is about arguments that begin with a dash.
    const [what] = (error as Error).message.split(/\. |\n/);
    throw new WrongCall(`${what}: npm run sizing -- --help says what there is`);
  }
}

type NumberName = Exclude<keyof typeof OPTIONS, 'help'>;

function number(values: Readonly<Record<NumberName, string>>, name: NumberName): number {
  const text = values[name];
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new WrongCall(`--${name} must be a number from 0 on, such as ${OPTIONS[name].default}`);
}
