import { describe, expect, it } from 'vitest';
import { judgeBrokerFailure, judgeDatabaseFailure, judgeOtherDatabaseFailure } from './connection-failures.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), code ? { code } : {});

describe('what is said of a broker that can not be reached', () => {
  it.each([
    [
      failure('Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused"'),
      'the name or the password in RABBITMQ_URL',
      'change_password',
    ],
    [
      failure('Expected ConnectionOpenOk; got <ConnectionClose channel:0>'),
      'the virtual host in RABBITMQ_URL is not there, or its user has no right on it',
      'set_permissions',
    ],
    [failure('getaddrinfo ENOTFOUND nowhere', 'ENOTFOUND'), 'host name in RABBITMQ_URL leads nowhere', 'DNS'],
    [failure('certificate has expired', 'CERT_HAS_EXPIRED'), 'the TLS connection to the broker fails', 'renew'],
    [failure('RabbitMQ 3.9.1 is too old: RabbitMQ 3.10 or later is needed'), 'the broker is too old', 'upgrade'],
    [failure('connect ECONNREFUSED 127.0.0.1:5672', 'ECONNREFUSED'), 'the broker does not answer', 'start RabbitMQ'],
    [new AggregateError([failure('connect ECONNREFUSED ::1:5672', 'ECONNREFUSED')], ''), 'ECONNREFUSED ::1', 'start'],
  ])('names the cause and the repair: %s', (error, what, repair) => {
    const fault = judgeBrokerFailure(error);
    expect(fault.what).toContain(what);
    expect(fault.repair).toContain(repair);
  });
});

describe('what is said of a database that can not be reached', () => {
  it.each([
    [failure('password authentication failed for user "u"', '28P01'), 'the name or the password', 'ALTER ROLE'],
    [failure('database "d" does not exist', '3D000'), 'the database in DATABASE_URL is not there', 'CREATE DATABASE'],
    [failure('sorry, too many clients already', '53300'), 'no connection left', 'max_connections'],
    [failure('the database system is starting up', '57P03'), 'starting up', 'wait'],
    [failure('"d" is not currently accepting connections', '55000'), 'takes no connections', 'ALLOW_CONNECTIONS'],
    [failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'TLS connection to PostgreSQL', 'sslrootcert'],
    [failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'), 'PostgreSQL does not answer', 'start it'],
    // A port that reads as a code of PostgreSQL's.
    [failure('connect ECONNREFUSED 127.0.0.1:55000', 'ECONNREFUSED'), 'PostgreSQL does not answer', 'start it'],
  ])('names the cause and the repair: %s', (error, what, repair) => {
    const fault = judgeDatabaseFailure(error);
    expect(fault.what).toContain(what);
    expect(fault.repair).toContain(repair);
  });
});

describe('what is said of another database that can not be reached', () => {
  it.each([
    failure('password authentication failed for user "u"', '28P01'),
    failure('database "d" does not exist', '3D000'),
    failure('getaddrinfo ENOTFOUND nowhere', 'ENOTFOUND'),
    failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  ])("names what its URL is from, and blames nothing on the installation's own: %s", (error) => {
    const { what, repair } = judgeOtherDatabaseFailure(error, '--database');
    expect(repair).toContain('--database');
    expect(`${what} ${repair}`).not.toMatch(/DATABASE_URL|deliveries|config/);
  });
});
