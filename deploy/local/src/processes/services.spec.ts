import { describe, expect, it } from 'vitest';
import { environmentOf, LOCAL_RETRY_SCHEDULE, SERVICES, type LocalEnvironment } from './services.js';

const local = (outside: NodeJS.ProcessEnv): LocalEnvironment => ({
  outside,
  databaseUrl: 'postgresql://database',
  isMigrated: true,
  rabbitmqUrls: { config: 'amqp://config@broker', dispatcher: 'amqp://broker', ingest: 'amqp://ingest@broker' },
  adminKey: 'admin',
  secretKeys: 'k1:…',
  caFile: '/ca.pem',
  ports: {
    ...{ config: 1, configHealth: 2, dispatcherHealth: 3, hostPage: 7, ingest: 4, ingestHealth: 5, receiver: 6 },
    prometheus: 8,
  },
});

describe('environmentOf', () => {
  it('confides secrets only to the services that need them', () => {
    const outside = { DATABASE_URL: 'postgresql://own', SECRET_KEYS: 'own', ADMIN_API_KEY: 'own' };
    const [config, dispatcher, ingest] = SERVICES.map((name) => environmentOf(name, local(outside)));
    expect(config).toMatchObject({
      DATABASE_URL: 'postgresql://database',
      MIGRATION: 'by_job',
      SECRET_KEYS: 'k1:…',
      ADMIN_API_KEY: 'admin',
    });
    expect(dispatcher).not.toHaveProperty('DATABASE_URL');
    expect(dispatcher).not.toHaveProperty('ADMIN_API_KEY');
    expect(dispatcher).toHaveProperty('SECRET_KEYS', 'k1:…');
    for (const name of ['DATABASE_URL', 'SECRET_KEYS', 'ADMIN_API_KEY']) expect(ingest).not.toHaveProperty(name);
  });

  it('passes the outside environment on, addresses excepted', () => {
    const outside = {
      RETRY_SCHEDULE: '100ms,300ms',
      CACHE_MAX_AGE: '1s',
      HTTP_PORT: '80',
      HEALTH_PORT: '81',
      LOG_LEVEL: '',
    };
    const ingest = environmentOf('ingest', local(outside));
    expect(ingest).toMatchObject({ RETRY_SCHEDULE: '100ms,300ms', CACHE_MAX_AGE: '1s', LOG_LEVEL: 'info' });
    expect(ingest).toMatchObject({ HTTP_PORT: '4', HEALTH_PORT: '5' });
    expect(environmentOf('config', local({})).RETRY_SCHEDULE).toBe(LOCAL_RETRY_SCHEDULE);
  });

  it('lets deliveries reach this machine unless the outside says otherwise', () => {
    expect(environmentOf('dispatcher', local({}))).toMatchObject({
      EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      EGRESS_ALLOW_HOSTS: 'localhost',
      EGRESS_CA_FILE: '/ca.pem',
    });
    expect(environmentOf('dispatcher', local({ EGRESS_ALLOW: '10.0.0.0/8' })).EGRESS_ALLOW).toBe('10.0.0.0/8');
  });
});
