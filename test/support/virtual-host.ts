import { basename, dirname } from 'node:path';

/** Spec files that play so many cases side by side, each on a virtual host of its own. */
const CASES_AT_A_TIME: Readonly<Record<string, number>> = {
  'delivery.unbound': 2,
  'log-writing.frozen-database': 3,
};

/** The virtual host of a spec file, or of one of its cases: its room and name, as `broker.alarms`. */
export const virtualHostOf = (specFile: string, nth = 0): string => {
  const name = `${basename(dirname(specFile))}.${basename(specFile, '.spec.ts')}`;
  return nth === 0 ? name : `${name}.${nth}`;
};

/** All of a spec file's. */
export const virtualHostsOf = (specFile: string): string[] =>
  Array.from({ length: CASES_AT_A_TIME[virtualHostOf(specFile)] ?? 1 }, (_, nth) => virtualHostOf(specFile, nth));
