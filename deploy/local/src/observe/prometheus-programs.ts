import { LocalFailure } from '../failure.js';
import { installPackage, type Say } from '../provide/install-packages.js';
import { findIn, findProgram } from '../provide/programs.js';

export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

/**
 * Prometheus and its tool: those in the folder that `PROMETHEUS_HOME` names, those that are installed, or Debian's.
 * @throws LocalFailure that says what to do by hand
 */
export async function prometheusPrograms(say: Say, env: NodeJS.ProcessEnv = process.env): Promise<PrometheusPrograms> {
  const home = env['PROMETHEUS_HOME'];
  if (home !== undefined && home !== '') {
    const found = programsBy((name) => findIn([home], name));
    if (found !== undefined) return found;
    throw new LocalFailure(`In ${home} there is no prometheus and promtool.`, 'Correct PROMETHEUS_HOME, or unset it.');
  }
  const found = programsBy(findProgram);
  if (found !== undefined) return found;
  await installPackage({ product: 'Prometheus', packageName: 'prometheus', variable: 'PROMETHEUS_HOME' }, say);
  const installed = programsBy(findProgram);
  if (installed !== undefined) return installed;
  throw new LocalFailure(
    'Prometheus was not found.',
    'Install it, or set PROMETHEUS_HOME to a folder with prometheus and promtool.',
  );
}

function programsBy(find: (name: string) => string | undefined): PrometheusPrograms | undefined {
  const [prometheus, promtool] = [find('prometheus'), find('promtool')];
  return prometheus !== undefined && promtool !== undefined ? { prometheus, promtool } : undefined;
}
