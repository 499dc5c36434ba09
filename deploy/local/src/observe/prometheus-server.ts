import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LocalFailure } from '../failure.js';
import { endLeftover, ManagedProcess } from '../processes/managed-process.js';
import type { Say } from '../provide/install-packages.js';
import { makePrivateFolder, writePrivateFile } from '../state/files.js';
import { prometheusPrograms } from './prometheus-programs.js';

const READY_MS = 30_000;
const STOP_GRACE_MS = 10_000;
/** More often than anybody would in production: a demonstration lasts a minute. */
const SCRAPE_EACH = '2s';
const KEPT = { time: '1d', size: '256MB' };

export interface PrometheusOptions {
  /** Where it keeps its data and its configuration. */
  readonly folder: string;
  readonly rulesFile: string;
  readonly port: number;
  /** Where each service's metrics are, by its name. */
  readonly healthPorts: Readonly<Record<string, number>>;
  /** How often it scrapes and looks at the rules, in Prometheus' own notation; every two seconds by default. */
  readonly scrapeEach?: string;
  readonly say: Say;
}

/** A Prometheus on the loopback that looks at the services of this start. What it stored a day ago is gone. */
export class PrometheusServer {
  private process: ManagedProcess | undefined;

  constructor(private readonly options: PrometheusOptions) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  /** Resolves when it has ended, whoever ended it. */
  get ended(): Promise<unknown> {
    return this.process?.ended ?? Promise.resolve();
  }

  /** Resolves once it answers. @throws LocalFailure with its last lines if it does not */
  async start(): Promise<void> {
    const { folder, say, port } = this.options;
    const { prometheus } = await prometheusPrograms(say);
    makePrivateFolder(folder);
    const configFile = join(folder, 'prometheus.yaml');
    writePrivateFile(configFile, this.configuration());
    const recordFile = join(folder, 'process.json');
    await endLeftover(recordFile, 'SIGTERM', STOP_GRACE_MS);
    this.process = await ManagedProcess.start({
      label: 'Prometheus',
      program: prometheus,
      args: [
        `--config.file=${configFile}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--storage.tsdb.retention.time=${KEPT.time}`,
        `--storage.tsdb.retention.size=${KEPT.size}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      env: { PATH: process.env['PATH'] },
      cwd: folder,
      recordFile,
      logFile: join(folder, 'server.log'),
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    });
    await this.untilReady(this.process);
  }

  /** Where it shows alerts, once it runs: Debian's, built without the newer pages, has them at another path. */
  async alertsUrl(): Promise<string> {
    const newer = `${this.url}/alerts`;
    return (await answers(newer)) ? newer : `${this.url}/classic/alerts`;
  }

  async stop(): Promise<void> {
    await this.process?.stop();
  }

  /** JSON is YAML too. */
  private configuration(): string {
    const { rulesFile, healthPorts, scrapeEach = SCRAPE_EACH } = this.options;
    const targets = Object.entries(healthPorts).map(([service, port]) => ({
      targets: [`127.0.0.1:${port}`],
      labels: { service },
    }));
    return JSON.stringify({
      global: { scrape_interval: scrapeEach, evaluation_interval: scrapeEach },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: 'form-webhooks', static_configs: targets }],
    });
  }

  private async untilReady(server: ManagedProcess): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (server.isRunning && Date.now() < deadline) {
      if (await answers(`${this.url}/-/ready`)) return;
      await wait(100);
    }
    await server.stop();
    throw new LocalFailure('Prometheus did not start.', 'Its last lines are below.', server.lastOutput());
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
