import type { Broker } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import { BrokerSettings, SealingSettings } from '@form-webhooks/settings';
import { DatabaseSettings } from '../../database/database-settings.js';
import { RetentionSettings } from '../../retention/retention-settings.js';
import { ApiClient } from '../api-client.js';
import { withBroker, withDatabase } from '../connect.js';
import type { Installation } from '../installation.js';
import { OpsFailure } from '../ops-command.js';
import { callable, OpsSettings, OwnAddresses, type HealthUrl } from '../ops-settings.js';
import { checkBroker, judgeAlarm, judgeConsumers } from './broker-checks.js';
import { checkCertificates, type CertificatePlaces } from './certificate-checks.js';
import { checkDatabase } from './database-checks.js';
import { fine, unknown, wrong, type Finding } from './finding.js';
import type { Retention } from './log-checks.js';
import { checkPermissions } from './permission-check.js';
import { checkCalls, checkServices } from './service-checks.js';
import { checkVersions } from './version-checks.js';

/** What is frozen keeps nobody waiting longer. */
const LOOK_WITHIN_MS = 90_000;

/** Looks at everything that an installation needs; one thing that is wrong keeps none of the others from being looked at. */
export async function examine(installation: Installation): Promise<Finding[]> {
  const findings = await Promise.all([
    told('database', () =>
      withDatabase(installation, (dataSource) =>
        checkDatabase(dataSource, ringOf(installation), retentionOf(installation)),
      ),
    ),
    told('broker', () => withBroker(installation, (broker) => examineBroker(broker, ownHosts(installation)))),
    told('services', () => examineServices(healthUrls(installation))),
    told('api', () => checkApi(installation)),
    told('certificates', () => checkCertificates(certificatePlaces(installation), Date.now())),
  ]);
  return findings.flat();
}

async function examineBroker(broker: Broker, hosts: readonly string[]): Promise<Finding[]> {
  const { findings, standings } = await checkBroker(broker);
  const calls = await checkCalls(broker, hosts);
  // Only what was published tells of an alarm, and during one no call gets through.
  const { blocked } = broker.status();
  const told = blocked ? [unknown('calls', 'none gets through while the broker blocks publishing')] : calls;
  const consumers = judgeConsumers(standings, blocked);
  return [...findings, ...consumers, judgeAlarm(blocked), ...told, await checkPermissions(broker)];
}

async function examineServices(urls: readonly HealthUrl[]): Promise<Finding[]> {
  return (await Promise.all([checkServices(urls), checkVersions(urls)])).flat();
}

/**
 * What a check found, or what kept it from looking.
 * @param withinMs how long it may take; more where it reads what can be large
 */
export async function told(
  check: string,
  look: () => Promise<Finding[]>,
  withinMs = LOOK_WITHIN_MS,
): Promise<Finding[]> {
  try {
    const looking = look();
    if (await inTime(looking, withinMs)) return await looking;
    return [unknown(check, `it was not looked at to the end within ${withinMs / 1_000} s: something is frozen`)];
  } catch (error) {
    if (error instanceof OpsFailure) {
      const { message: what, advice: repair, see } = error;
      return [wrong(check, { what, repair, ...(see === undefined ? {} : { see }) })];
    }
    return [unknown(check, `it could not be looked at to the end: ${(error as Error).message}`)];
  }
}

async function checkApi(installation: Installation): Promise<Finding[]> {
  const api = new ApiClient(installation);
  await api.call('GET', '/v1/me');
  return [fine('api', `it answers at ${api.url}, and the key is valid`)];
}

/** The key ring. One that is missing, or is none, is told of beside what else the database shows. */
export function ringOf(installation: Installation): SealingSettings['keyRing'] | Finding {
  try {
    return installation.settings(SealingSettings).keyRing;
  } catch (error) {
    if (!(error instanceof OpsFailure)) throw error;
    return wrong('key ring', { what: error.message, repair: error.advice, see: 'docs/operations.md#keys-and-secrets' });
  }
}

/** A setting that is wrong keeps nothing else of the database from being looked at. */
function retentionOf(installation: Installation): Retention {
  try {
    return installation.settings(RetentionSettings);
  } catch (error) {
    if (!(error instanceof OpsFailure)) throw error;
    const see = 'docs/operations.md#retention-and-backups';
    return wrong('old log days', { what: error.message, repair: error.advice, see });
  }
}

function healthUrls(installation: Installation): readonly HealthUrl[] {
  const { healthUrls: named } = installation.settings(OpsSettings);
  if (named.length > 0) return named;
  const { health } = installation.settings(OwnAddresses);
  return [{ service: 'config', url: callable(health.host, health.port) }];
}

/** Of the database and of the broker's nodes; a setting that is wrong or missing is told of where it is used. */
function urlsOf(installation: Installation): URL[] {
  const texts = [DatabaseSettings, BrokerSettings].flatMap((Class) => {
    try {
      return installation.settings<{ readonly url: string }>(Class).url.split(',');
    } catch {
      return [];
    }
  });
  return texts.map((text) => new URL(text.trim()));
}

/** The hosts of our own servers. Those of this machine are for development, where deliveries may reach it on purpose. */
function ownHosts(installation: Installation): readonly string[] {
  const hosts = urlsOf(installation).map(({ hostname }) => hostname.replace(/^\[|\]$/g, ''));
  return [...new Set(hosts)].filter(
    (host) => host !== '' && !/^(localhost|127\.|::1$|\/)/.test(decodeURIComponent(host)),
  );
}

function certificatePlaces(installation: Installation): CertificatePlaces {
  const urls = urlsOf(installation);
  const { configUrl } = installation.settings(OpsSettings);
  const overTls = [...urls, ...(configUrl === undefined ? [] : [new URL(configUrl)])].flatMap(serverOverTls);
  const named = urls.flatMap(({ searchParams }) =>
    ['sslrootcert', 'cacertfile'].flatMap((name) => searchParams.get(name) ?? []),
  );
  const ofReceivers = installation.environment['EGRESS_CA_FILE'];
  return { servers: overTls, files: [...new Set([...named, ...(ofReceivers ? [ofReceivers] : [])])] };
}

/** PostgreSQL begins in clear text, so its certificate can't be looked at in this way. */
function serverOverTls({ protocol, hostname, port }: URL): CertificatePlaces['servers'] {
  const usual = { 'https:': 443, 'amqps:': 5671 }[protocol];
  return usual === undefined ? [] : [{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) }];
}
