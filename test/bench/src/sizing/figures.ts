import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, type Figures } from './model.js';

/** What `npm run bench:sizing -- --write` measured last; the model reckons with it. */
const FILE = join(import.meta.dirname, '../../sizing.json');

/** There are no figures to reckon with. */
export class NoFigures extends Error {
  override readonly name = 'NoFigures';
}

/** Figures, and what else the page has of the same run. */
export interface MeasuredFigures extends Figures {
  /** On what it was measured, in words. */
  readonly measuredOn: string;
  readonly logRowsPerSecond: number;
  /** CPU ms of config's own code and of PostgreSQL for a record of the log. */
  readonly logRowCpu: { readonly writer: number; readonly postgres: number };
  /** MiB for a thousand forms with an endpoint each. */
  readonly memoryPerThousandForms: { readonly dispatcher: number; readonly config: number; readonly ingest: number };
  readonly brokerMemoryPerEvent: number;
  readonly brokerMemoryPerRetryQueue: number;
  /** With so many dispatchers: deliveries a second, and what the model says. */
  readonly checks: readonly {
    readonly dispatchers: number;
    readonly cores: number;
    readonly measured: number;
    readonly reckoned: number;
    readonly bound: string;
  }[];
}

/** @throws NoFigures that says what to run if nothing was measured yet */
export function readFigures(file = FILE): MeasuredFigures {
  if (!existsSync(file)) throw new NoFigures(`there is no ${file}: npm run bench:sizing -- --write makes it`);
  return JSON.parse(readFileSync(file, 'utf8')) as MeasuredFigures;
}

export function writeFigures(figures: MeasuredFigures): void {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  writeFileSync(FILE, `${JSON.stringify(figures, rounded, 2)}\n`);
}

/** The tables of docs/sizing.md. */
export function tables(figures: MeasuredFigures): string {
  const { costs } = figures;
  const perCore = (ms: number): string => (ms === 0 ? '–' : Math.round(1_000 / ms).toLocaleString('en'));
  const costRows = PARTS.map((part) => {
    const { perEvent, perDelivery } = costs[part];
    const [one, three] = [perEvent + perDelivery, perEvent / 3 + perDelivery];
    return [part, ms(perEvent), ms(perDelivery), perCore(one), perCore(three)];
  });
  const checks = figures.checks.map(({ dispatchers, cores, measured, reckoned, bound }) => {
    // The figures are of the run with one: what is reckoned from them says nothing about it.
    const [byModel, by] = dispatchers === 1 ? ['–', '–'] : [reckoned.toFixed(0), bound];
    return [String(dispatchers), cores.toFixed(1), measured.toFixed(0), byModel, by];
  });
  return [
    `Measured on ${figures.measuredOn}.`,
    table(['part', 'ms an event', 'ms a delivery', 'a second, 1 endpoint', 'a second, 3 endpoints'], costRows),
    '"An event" is what an event costs once, "a delivery" what each of its endpoints costs besides. "A second" is what a\n' +
      'core could do that did nothing else.',
    table(['what', 'figure'], otherRows(figures)),
    'The model, a check from two dispatchers on:',
    table(['dispatchers', 'cores got', 'deliveries a second', 'by the model', 'bound by'], checks),
  ].join('\n\n');
}

function otherRows(figures: MeasuredFigures): string[][] {
  const { memoryPerThousandForms: memory, logRowCpu } = figures;
  const mib = (amount: number): string => `${amount.toFixed(1)} MiB`;
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;
  return [
    ['log rows a second, one writer', figures.logRowsPerSecond.toFixed(0)],
    ['CPU of a log row', `writer ${ms(logRowCpu.writer)} ms, PostgreSQL ${ms(logRowCpu.postgres)} ms`],
    ['log, 10^6 deliveries', `${(figures.logBytesPerDelivery / 1_000).toFixed(2)} GB`],
    ['write-ahead log, 10^6 deliveries', `${(figures.walBytesPerDelivery / 1_000).toFixed(2)} GB`],
    [
      'waiting in RabbitMQ, an event',
      `${kb(figures.brokerBytesPerEvent)} of disk, ${kb(figures.brokerMemoryPerEvent)} of memory`,
    ],
    ['RabbitMQ, a retry queue', `${kb(figures.brokerMemoryPerRetryQueue)} of memory`],
    ['10^3 forms with an endpoint: dispatcher', mib(memory.dispatcher)],
    ['10^3 forms with an endpoint: config, ingest', `${mib(memory.config)}, ${mib(memory.ingest)}`],
    ['messages a second through one quorum queue, at least', figures.queueMessagesPerSecond.toFixed(0)],
  ];
}

const ms = (amount: number): string => amount.toFixed(2);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
