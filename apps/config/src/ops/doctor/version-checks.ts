import { readBrokerVersion, type Broker, type BrokerVersion } from '@form-webhooks/broker';
import type { DataSource } from '@form-webhooks/storage';
import { VERSION } from '@form-webhooks/telemetry';
import type { HealthUrl } from '../ops-settings.js';
import { fine, unknown, warning, type Finding } from './finding.js';

const ANSWER_WITHIN_MS = 5_000;

/** What the broker says of itself at each connect. @throws Error while it is away */
export async function brokerVersion(broker: Broker): Promise<BrokerVersion> {
  let version = readBrokerVersion({});
  await broker.publishing.run(async ({ serverProperties }) => void (version = readBrokerVersion(serverProperties)));
  return version;
}

/** Which broker answers. One that is too old is never got as far as this. */
export function judgeBrokerVersion({ text, verdict }: BrokerVersion): Finding {
  if (verdict === 'supported') return fine('broker', `${text} answers, which is supported`);
  return warning('broker', {
    what: `${text} answers, which was never tried`,
    repair: 'use RabbitMQ 3.10 to 4.x; with this one try out first what you rely on',
    see: 'docs/upgrading.md#rabbitmq-310-to-4x',
  });
}

/** As the database says it, without where it was built: `PostgreSQL 17.2`. */
export async function databaseVersion(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<{ server_version: string }[]>('SHOW server_version');
  return `PostgreSQL ${row!.server_version.split(' ')[0]}`;
}

/** Whether all processes that tell it are of one version, this command among them. */
export async function checkVersions(urls: readonly HealthUrl[]): Promise<Finding[]> {
  const told = await Promise.all(urls.map(async ({ service, url }) => ({ service, version: await versionAt(url) })));
  return judgeVersions(told, VERSION);
}

/** Undefined if nothing answers there: what is said of its readiness tells of that. */
async function versionAt(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return versionIn(await response.text());
  } catch {
    return undefined;
  }
}

/** The version in a service's metrics, as `service_info` has it. */
export const versionIn = (metrics: string): string | undefined =>
  /^service_info\{[^}]*\bversion="([^"]*)"/m.exec(metrics)?.[1];

/** Who runs which version. Several are right while an upgrade goes on, and wrong once it should be over. */
export function judgeVersions(
  told: readonly { readonly service: string; readonly version: string | undefined }[],
  own: string,
): Finding[] {
  // What this command is says nothing of them.
  if (told.every(({ version }) => version === undefined)) return [unknown('versions', 'no service told its version')];
  const versions = new Map<string, Set<string>>();
  for (const { service, version } of [...told, { service: 'this command', version: own }]) {
    if (version !== undefined) versions.set(version, (versions.get(version) ?? new Set()).add(service));
  }
  const [only, ...others] = [...versions.keys()];
  if (only !== undefined && others.length === 0) return [fine('versions', `all that was asked runs ${only}`)];
  const list = [...versions].map(([version, services]) => `${version} by ${[...services].join(', ')}`);
  return [
    warning('versions', {
      what: `several versions run: ${list.join('; ')}`,
      repair:
        'end the upgrade or go back: config, then dispatchers, then ingests; and use the command of their version',
      see: 'docs/upgrading.md#an-upgrade',
    }),
  ];
}
