import { basename, dirname } from 'node:path';

/** The virtual host of a spec file: its room and name, as `broker.alarms`. */
export const virtualHostOf = (specFile: string): string =>
  `${basename(dirname(specFile))}.${basename(specFile, '.spec.ts')}`;
