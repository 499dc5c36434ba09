import type { StruckFault } from '../faults/fault-run.js';
import type { Judgement } from './judge.js';
import type { Waits } from './waits.js';

/** What came of a run. */
export interface SurvivalReport extends Judgement {
  readonly seed: number;
  readonly minutes: number;
  readonly events: number;
  readonly deliveries: number;
  readonly struck: readonly StruckFault[];
  readonly quietMs: number;
  /** Expired messages that only other leaders of their queues handed on. */
  readonly strandedMessages: number;
  /** How long events waited that were begun while faults of a kind struck. */
  readonly waits: ReadonlyMap<string, Waits>;
}

/** The report as a table for people. */
export function printed(report: SurvivalReport): string {
  const { seed, minutes, events, deliveries, posts, losses, duplicates, unrecorded, republished, quietMs } = report;
  const rows: [string, string | number][] = [
    ['seed', seed],
    ['minutes', minutes.toFixed(1)],
    ['events accepted', events],
    ['events per second', (events / minutes / 60).toFixed(0)],
    ['deliveries due', deliveries],
    ['POSTs seen', posts],
    ['faults struck', report.struck.length],
    ['losses', losses],
    ['duplicates', duplicates],
    ['attempts known only to receivers', unrecorded],
    ['published again as lost', republished],
    ['expired and kept by the broker', report.strandedMessages],
    ['quiet after', seconds(quietMs)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(34)}${String(value).padStart(10)}`);
  const found = report.faults.length === 0 ? ['nothing lost, log complete'] : report.faults;
  return [...lines, '', ...faultTable(report), '', ...found.map((fault) => `  ${fault}`)].join('\n');
}

/** The duplicates that arrived while faults of this kind struck and until all was well again. */
export const duplicatesDuring = ({ struck, duplicatesAt }: SurvivalReport, kind: string): number =>
  duplicatesAt.filter((at) => struck.some((one) => one.kind === kind && at >= one.from && at <= one.to)).length;

function faultTable(report: SurvivalReport): string[] {
  const byKind = new Map<string, StruckFault[]>();
  for (const one of report.struck) byKind.set(one.kind, [...(byKind.get(one.kind) ?? []), one]);
  const rows = [...byKind].map(([kind, all]) => {
    const times = all.map(({ recoveryMs }) => recoveryMs).sort((a, b) => a - b);
    const meanwhile = duplicatesDuring(report, kind);
    const events = all.reduce((sum, one) => sum + one.events, 0);
    const [median, longest] = [times[Math.floor(times.length / 2)]!, times.at(-1)!];
    const waits = report.waits.get(kind);
    const [p50, p99] = [waits ? `${waits.p50} ms` : '', waits ? `${waits.p99} ms` : ''];
    return row([kind, all.length, events, seconds(median), seconds(longest), meanwhile, p50, p99]);
  });
  return [row(['fault', 'times', 'events', 'median back', 'longest', 'duplicates', 'p50', 'p99']), ...rows];
}

const row = ([kind, ...figures]: readonly (string | number)[]): string =>
  `  ${String(kind).padEnd(38)}${figures.map((figure) => String(figure).padStart(13)).join('')}`;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
