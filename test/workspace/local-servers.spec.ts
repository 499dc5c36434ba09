import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PostgresServer, RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { connect } from 'amqplib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { saveQueues } from '../support/broker.js';

const folder = temporaryFolder('form-webhooks-servers-');
afterAll(() => folder.remove());

/** The processes whose command or environment names the folder, as `ps` shows them; ended ones that nobody waited for don't count. */
function processesOf(path: string): string[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,stat=,command='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(path) && !/^\s*\d+\s+Z/.test(line));
}

describe('the servers that every test file gets', () => {
  it('are there', async () => {
    const client = new Client(inject('databaseUrl'));
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    const connection = await connect(brokerUrl());
    await connection.close();
  });
});

describe('a private PostgreSQL in a folder that only its owner may enter', () => {
  const server = new PostgresServer({ folder: join(folder.path, 'postgres') });
  const query = async (sql: string): Promise<unknown[]> => {
    const client = new Client(server.url);
    client.on('error', () => undefined); // a killed server tells its clients
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(() => server.start());
  afterAll(() => server.stop());

  it('takes only who has the password', async () => {
    const wrong = new Client(server.url.replace(/:[0-9a-f]+@/, ':wrong@'));
    await expect(wrong.connect()).rejects.toThrow('password authentication failed');
    const superuser = new Client(server.url.replace('//form_webhooks:', '//postgres:'));
    await expect(superuser.connect()).rejects.toThrow('pg_hba.conf');
  });

  it('lets tests make databases of their own', async () => {
    await query('create database another');
    expect(await query("select datname from pg_database where datname = 'another'")).toHaveLength(1);
  });

  it('keeps its data and its address over kill -9', async () => {
    await query('create table kept (id int)');
    await query('insert into kept values (1), (2)');
    const before = { url: server.url, pid: server.pid };
    await server.kill();
    expect(server.pid).toBeUndefined();
    await server.start();
    expect(server.url).toBe(before.url);
    expect(server.pid).not.toBe(before.pid);
    expect(await query('select count(*)::int as count from kept')).toEqual([{ count: 2 }]);
  });

  it('is ended by a start that finds it left over, and no other process is', async () => {
    const second = new PostgresServer({ folder: join(folder.path, 'postgres') });
    const left = server.ended;
    await second.start();
    await left;
    expect(await query('select count(*)::int as count from kept')).toEqual([{ count: 2 }]);
    await second.stop();
  });

  it('leaves no process when it stops', async () => {
    await server.start();
    await server.stop();
    await vi.waitFor(() => expect(processesOf(join(folder.path, 'postgres'))).toEqual([]), { timeout: 30_000 });
  });
});

describe('a private RabbitMQ in a folder that only its owner may enter', () => {
  const server = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  const QUEUE = 'kept';
  const LARGE = 4 * 1024 * 1024;
  const quorum = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

  async function sizeOfNext(queue: string): Promise<number | undefined> {
    const connection = await connect(server.url);
    const failed = new Promise<never>((_resolve, reject) => connection.on('error', reject));
    failed.catch(() => undefined);
    try {
      const channel = await connection.createChannel();
      channel.on('error', () => undefined);
      const message = await Promise.race([channel.get(queue, { noAck: true }), failed]);
      await channel.close();
      return message ? message.content.length : undefined;
    } finally {
      await connection.close().catch(() => undefined);
    }
  }

  beforeAll(() => server.start());
  afterAll(() => server.stop());

  it('takes messages of the largest size that the product has', async () => {
    const connection = await connect(server.url);
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue(QUEUE, quorum);
    channel.sendToQueue(QUEUE, Buffer.alloc(LARGE, 'x'), { persistent: true });
    await channel.waitForConfirms();
    await channel.close();
    await connection.close();
  });

  it('keeps its messages and its address over kill -9', async () => {
    await saveQueues(server);
    const before = { url: server.url, pid: server.pid, epmdPid: server.epmdPid };
    await server.kill();
    expect(server.pid).toBeUndefined();
    await server.start();
    expect(server.url).toBe(before.url);
    expect(server.epmdPid).toBe(before.epmdPid);
    // A quorum queue elects its leader after the port is open; until then a broker closes the connection that asks.
    await vi.waitFor(async () => expect(await sizeOfNext(QUEUE)).toBe(LARGE), { timeout: 30_000, interval: 500 });
  });

  it('answers rabbitmqctl', async () => {
    expect(await server.ctl('list_queues', '--quiet', 'name', 'type')).toContain('kept\tquorum');
    await expect(server.ctl('no_such_command')).rejects.toThrow('rabbitmqctl no_such_command failed');
  });

  it('evaluates what it is asked, and says so when that fails', async () => {
    await server.evaluate('true = is_list(rabbit_amqqueue:list()).');
    await expect(server.evaluate('ok = failed.')).rejects.toThrow('failed');
  });

  it('listens on the loopback only', () => {
    const listening = execFileSync('ss', ['-Hltnp'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`pid=${server.pid},`) || line.includes(`pid=${server.epmdPid},`))
      .map((line) => line.trim().split(/\s+/)[3]!.replace(/:\d+$/, ''));
    expect(listening.length).toBeGreaterThanOrEqual(3);
    expect(listening.filter((address) => address !== '127.0.0.1' && address !== '[::1]')).toEqual([]);
  });

  it('leaves no process when it stops, its epmd included', async () => {
    await server.stop();
    expect(server.epmdPid).toBeUndefined();
    await vi.waitFor(() => expect(processesOf(join(folder.path, 'rabbitmq'))).toEqual([]), { timeout: 30_000 });
  });
});
