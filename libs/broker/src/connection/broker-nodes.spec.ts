import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BrokerNodes } from './broker-nodes.js';

describe('BrokerNodes', () => {
  it('tries every node of a cluster in turn', () => {
    const nodes = new BrokerNodes('amqp://a:1, amqp://b:2,amqp://c:3');
    const tried = [0, 1, 2].map(() => {
      const { hostname } = nodes.target;
      nodes.turn();
      return hostname;
    });
    expect(tried.sort()).toEqual(['a', 'b', 'c']);
  });

  it('reads credentials, virtual host, port and heartbeat of a URL', () => {
    expect(new BrokerNodes('amqp://us%40er:p%3Aw@broker/forms?heartbeat=3').target).toMatchObject({
      protocol: 'amqp',
      hostname: 'broker',
      port: 5672,
      username: 'us@er',
      password: 'p:w',
      vhost: 'forms',
      heartbeat: 3,
    });
    expect(new BrokerNodes('amqps://[::1]/').target).toMatchObject({ hostname: '::1', port: 5671, vhost: '/' });
  });

  it('asks for heartbeats of 8 s where the URL asks for no others, so that a dead connection ends within 24 s', () => {
    expect(new BrokerNodes('amqp://a').target.heartbeat).toBe(8);
  });

  it('reads the authorities that a URL names, and fails at once if it can not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'broker-nodes-'));
    const file = join(folder, 'ca.pem');
    writeFileSync(file, 'PEM');
    const nodes = new BrokerNodes(`amqps://a?cacertfile=${file},amqps://b?cacertfile=${file}`);
    rmSync(folder, { recursive: true });
    expect(nodes.authorities).toEqual(['PEM']);
    expect(new BrokerNodes('amqps://a').authorities).toBeUndefined();
    expect(() => new BrokerNodes(`amqps://a?cacertfile=${file}`)).toThrow('ENOENT');
  });

  it('refuses what is no URL', () => {
    expect(() => new BrokerNodes('amqp://a,nonsense')).toThrow(TypeError);
  });
});
