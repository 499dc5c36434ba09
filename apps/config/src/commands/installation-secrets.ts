import { createHash, randomBytes } from 'node:crypto';
import { patternOf, PERMISSIONS, type BrokerUser } from '@form-webhooks/broker/permissions';

/** Where an installation's services find the broker and the database. */
export interface InstallationHosts {
  /** One, or those of a cluster's nodes separated by commas. */
  readonly broker: string;
  readonly database: string;
}

/** Files by their path, which begins with who may read them. */
export type SecretFiles = Readonly<Record<string, string>>;

/** Owns the tables: the migration job runs as it. */
const DATABASE_OWNER = 'form_webhooks';
/** Config runs as it. */
const DATABASE_ROLE = 'form_webhooks_config';
const DATABASE_NAME = 'form_webhooks';
const VIRTUAL_HOST = '/';
/** What RabbitMQ reads at its start. */
export const DEFINITIONS = 'broker/definitions.json';

/**
 * Everything secret that a new installation needs, each value made anew: passwords, the key ring, the first service key,
 * and the broker's definitions with a user for each service that may do no more than it has to.
 */
export function installationSecrets(hosts: InstallationHosts): SecretFiles {
  const users = Object.keys(PERMISSIONS) as BrokerUser[];
  const passwords = Object.fromEntries(users.map((user) => [user, aPassword()])) as Record<BrokerUser, string>;
  const nodes = hosts.broker.split(',').map((host) => host.trim());
  const urlOf = (user: BrokerUser, node: string): string => `amqp://${user}:${passwords[user]}@${node}:5672`;
  const rabbitmqUrl = (user: BrokerUser): string => nodes.map((node) => urlOf(user, node)).join(',');
  const [ownerPassword, configPassword] = [aPassword(), aPassword()];
  const databaseUrl = (role: string, password: string): string =>
    `postgres://${role}:${password}@${hosts.database}:5432/${DATABASE_NAME}`;
  const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
  return {
    [DEFINITIONS]: definitions(passwords),
    'database/password': aPassword(),
    'database/owner-password': ownerPassword,
    'database/config-password': configPassword,
    'migration/database-url': databaseUrl(DATABASE_OWNER, ownerPassword),
    'config/rabbitmq-url': rabbitmqUrl('config'),
    'config/database-url': databaseUrl(DATABASE_ROLE, configPassword),
    'config/secret-keys': secretKeys,
    'config/admin-api-key': randomBytes(32).toString('base64url'),
    'dispatcher/rabbitmq-url': rabbitmqUrl('dispatcher'),
    // KEDA takes one address only: that of the first node.
    'dispatcher/keda-rabbitmq-url': urlOf('dispatcher', nodes[0]!),
    'dispatcher/secret-keys': secretKeys,
    'ingest/rabbitmq-url': rabbitmqUrl('ingest'),
    'form-service/rabbitmq-url': rabbitmqUrl('form-service'),
  };
}

/** What RabbitMQ reads at its start (`load_definitions`): the users with the hashes of their passwords, and their rights. */
function definitions(passwords: Readonly<Record<BrokerUser, string>>): string {
  const users = Object.entries(passwords) as [BrokerUser, string][];
  return printed({
    vhosts: [{ name: VIRTUAL_HOST }],
    users: users.map(([name, password]) => ({
      ...{ name, password_hash: passwordHash(password), hashing_algorithm: 'rabbit_password_hashing_sha256' },
      tags: [],
    })),
    permissions: rights(),
  });
}

/**
 * The broker's definitions of an installation that stands, with the rights that this version's services need: a later
 * one may need others than the one that made them. Users, their passwords and what else is in there stay.
 * @throws Error if the text is no definitions
 */
export function withCurrentRights(text: string): string {
  const standing = JSON.parse(text) as { readonly permissions?: readonly Rights[] };
  const ours = rights();
  const isOurs = ({ user, vhost }: Rights): boolean => vhost === VIRTUAL_HOST && ours.some((one) => one.user === user);
  const others = (standing.permissions ?? []).filter((one) => !isOurs(one));
  return printed({ ...standing, permissions: [...ours, ...others] });
}

interface Rights {
  readonly user: string;
  readonly vhost: string;
}

const rights = (): Rights[] =>
  (Object.keys(PERMISSIONS) as BrokerUser[]).map((user) => {
    const { configure, write, read } = PERMISSIONS[user];
    return {
      ...{ user, vhost: VIRTUAL_HOST },
      ...{ configure: patternOf(configure), write: patternOf(write), read: patternOf(read) },
    };
  });

const printed = (content: object): string => `${JSON.stringify(content, undefined, 2)}\n`;

/** RabbitMQ's way to keep a password: four random bytes, then the digest of these and the password, in base64. */
function passwordHash(password: string): string {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, digest]).toString('base64');
}

const aPassword = (): string => randomBytes(24).toString('hex');
