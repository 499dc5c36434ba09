import { asList, asText, asUrl, HealthSettings, HttpSettings, Section, Setting } from '@form-webhooks/settings';
import { asDatabaseUrl } from '../database/database-settings.js';

/** What the operator's command line reads beside the services' own settings. */
export class OpsSettings {
  @Setting({
    env: 'CONFIG_URL',
    meaning: "where config's API is, such as https://config.example; by default config's own address on this machine",
    optional: true,
    parse: asUrl('http', 'https'),
  })
  readonly configUrl: string | undefined;

  @Setting({
    env: 'INGEST_URL',
    meaning: "where ingest's API is, such as https://events.example: `bench` sends events there",
    optional: true,
    parse: asUrl('http', 'https'),
  })
  readonly ingestUrl: string | undefined;

  @Setting({
    env: 'BENCH_CERTIFICATE',
    meaning: 'a PEM file with a certificate that dispatchers trust, for the receiver of `bench`; --cert names another',
    optional: true,
    parse: asText,
  })
  readonly benchCertificate: string | undefined;

  @Setting({
    env: 'BENCH_CERTIFICATE_KEY',
    meaning: 'a PEM file with its key; --key names another',
    optional: true,
    parse: asText,
  })
  readonly benchKey: string | undefined;

  @Setting({
    env: 'MIGRATION_DATABASE_URL',
    meaning: 'the database as the owner of its tables, for `migrate` alone; by default DATABASE_URL',
    optional: true,
    parse: asDatabaseUrl,
    secret: true,
  })
  readonly migrationDatabaseUrl: string | undefined;

  @Setting({
    env: 'DATABASE_RUNTIME_ROLE',
    meaning: 'the role that config runs as, if not as the owner: `migrate` gives it the rights that it needs',
    optional: true,
    parse: asText,
  })
  readonly runtimeRole: string | undefined;

  @Setting({
    env: 'HEALTH_URLS',
    meaning:
      'where `doctor` asks each service whether it is ready: config=http://config:9090,dispatcher=http://…; by default config on this machine',
    default: '',
    parse: asHealthUrls,
  })
  readonly healthUrls: readonly HealthUrl[];
}

/** A service, and where it tells how it is. */
export interface HealthUrl {
  readonly service: string;
  /** Without a slash at its end. */
  readonly url: string;
}

/** Where config serves on this machine. */
export class OwnAddresses {
  @Section()
  readonly http: HttpSettings;

  @Section()
  readonly health: HealthSettings;
}

function asHealthUrls(text: string): readonly HealthUrl[] {
  return asList(text).map((part) => {
    const [service, ...rest] = part.split('=');
    const url = asUrl('http', 'https')(rest.join('='));
    return { service: service!, url: url.replace(/\/$/, '') };
  });
}

/** An address that is listened on, as one that can be called. */
export const callable = (host: string, port: number): string => {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};
