import type { Fault } from './fault.js';

interface Told {
  readonly code: string;
  readonly message: string;
}

interface ErrorParts {
  readonly code: unknown;
  readonly message: string;
  readonly errors: readonly unknown[];
  readonly cause: unknown;
}

/** The first error of a chain that has something to say; several addresses of a name fail together. */
function tellOf(error: unknown): Told {
  const { code, message, errors, cause } = error as Readonly<Partial<ErrorParts>>;
  if (message === '' || message === undefined) {
    const inner = errors?.[0] ?? cause;
    if (inner !== undefined) return tellOf(inner);
  }
  return { code: typeof code === 'string' ? code : '', message: message ?? String(error) };
}

/** A kind of failure: by what it is known, and what it means. */
type Kind = readonly [sign: RegExp, what: string, repair: string, see?: string];

const TLS =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO|certificate|wrong version number|SSL|does not support SSL/;

const BROKER: readonly Kind[] = [
  [
    /ACCESS_REFUSED - Login|Login was refused|ACCESS-REFUSED.*[Ll]ogin/,
    'the broker refuses the name or the password in RABBITMQ_URL',
    'correct RABBITMQ_URL, or set the password anew: rabbitmqctl change_password <user> <password>',
    'docs/security.md#users-of-the-broker',
  ],
  // The client tells no more of the broker's refusal than that it closed the connection.
  [
    /vhost|NOT[-_]ALLOWED|Expected ConnectionOpenOk/,
    'the virtual host in RABBITMQ_URL is not there, or its user has no right on it',
    'correct the path of RABBITMQ_URL, or rabbitmqctl add_vhost <name>; then set_permissions -p <name>, as the page has it',
    'docs/security.md#users-of-the-broker',
  ],
  [
    /too old/,
    'the broker is too old',
    'upgrade RabbitMQ to 3.10 or later; the services go on by themselves then',
    'docs/troubleshooting.md#a-service-does-not-get-ready-on-a-new-broker',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    "the broker's host name in RABBITMQ_URL leads nowhere",
    'correct the host in RABBITMQ_URL, or the DNS',
  ],
  [
    TLS,
    'the TLS connection to the broker fails',
    'amqps:// with the port for TLS (5671), and ?cacertfile= for an authority of your own; renew an ended certificate',
  ],
];

/** @param named what names the URL. @param orMakeIt what else to do where the database is not there */
const databaseKinds = (named: string, orMakeIt: string): readonly Kind[] => [
  [
    /^(28P01|28000)$/,
    `PostgreSQL refuses the name or the password in ${named}`,
    `correct ${named}, or the password: ALTER ROLE <name> PASSWORD '…'; look at pg_hba.conf as well`,
  ],
  [/^3D000$/, `the database in ${named} is not there`, `correct the path of ${named}${orMakeIt}`],
  [
    /^53300$/,
    'PostgreSQL has no connection left',
    'raise max_connections: it must hold the three pools of every config replica',
    'docs/operations.md#scaling',
  ],
  [/^57P03$/, 'PostgreSQL is starting up or shutting down', 'wait until it is up; its log says how far it is'],
  [
    /^55000$/,
    `the database in ${named} takes no connections`,
    'ALTER DATABASE <name> ALLOW_CONNECTIONS true, once whoever forbade them is done (a restore, an upgrade)',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    `the database's host name in ${named} leads nowhere`,
    `correct the host in ${named}, or the DNS`,
  ],
  [
    TLS,
    'the TLS connection to PostgreSQL fails',
    `?sslmode=verify-full&sslrootcert=<file> in ${named}; renew an ended certificate`,
  ],
];

function judge(error: unknown, kinds: readonly Kind[], otherwise: Fault): Fault {
  const { code, message } = tellOf(error);
  const found = kinds.find(([sign]) => sign.test(code) || sign.test(message));
  const told = code === '' || message.includes(code) ? message : `${code} ${message}`;
  if (!found) return { ...otherwise, what: `${otherwise.what}: ${told}` };
  const [, what, repair, see = otherwise.see] = found;
  return { what: `${what}: ${told}`, repair, ...(see === undefined ? {} : { see }) };
}

/** Why the broker can't be reached, by what the attempt to connect failed with. */
export const judgeBrokerFailure = (error: unknown): Fault =>
  judge(error, BROKER, {
    what: 'the broker does not answer',
    repair: 'start RabbitMQ, or correct host and port in RABBITMQ_URL; accepted events wait with their senders',
    see: 'docs/troubleshooting.md#ingest-answers-503',
  });

const FILLED_BY_CONFIG = ', or make it: CREATE DATABASE <name>; config fills it at its start';

/** Why the installation's database can't be reached. */
export const judgeDatabaseFailure = (error: unknown): Fault =>
  judge(error, databaseKinds('DATABASE_URL', FILLED_BY_CONFIG), {
    what: 'PostgreSQL does not answer',
    repair:
      'start it, or correct host and port in DATABASE_URL; deliveries go on meanwhile, the log waits in the broker',
    see: 'docs/troubleshooting.md#postgresql-is-down',
  });

/** Why another database can't be reached, which no delivery waits for. @param named what names its URL */
export const judgeOtherDatabaseFailure = (error: unknown, named: string): Fault =>
  judge(error, databaseKinds(named, ''), {
    what: 'PostgreSQL does not answer',
    repair: `start it, or correct host and port in ${named}`,
  });
