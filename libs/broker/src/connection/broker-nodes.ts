import { readFileSync } from 'node:fs';
import type { Options } from 'amqplib';

/** A side that hears nothing for two to three of these takes the connection for dead: within 24 s. */
const HEARTBEAT_SECONDS = 8;

/**
 * The nodes of a broker, as `RABBITMQ_URL` lists them: `amqp://user:password@host:port/vhost`, several separated by
 * commas. A connection tries one after another: when a node dies, the next attempt goes to another one. With `amqps` the
 * node's certificate and name are verified; `?cacertfile=` names a PEM file with the authorities to trust instead of the
 * well-known ones.
 */
export class BrokerNodes {
  private readonly nodes: readonly Options.Connect[];
  private at: number;
  /** The library reads this object anew for each attempt, so it is changed in place. */
  readonly target: Options.Connect = {};
  /** PEM texts of the authorities to trust; undefined for the well-known ones. */
  readonly authorities: readonly string[] | undefined;

  /** @throws TypeError if an entry is no URL, a file error if one's `cacertfile` can't be read */
  constructor(urls: string) {
    const texts = urls.split(',').map((url) => url.trim());
    this.nodes = texts.map(parse);
    const files = new Set(texts.flatMap((text) => new URL(text).searchParams.get('cacertfile') ?? []));
    this.authorities = files.size === 0 ? undefined : [...files].map((file) => readFileSync(file, 'utf8'));
    // Each process begins at a random node, so that the nodes of a cluster share the connections.
    this.at = Math.floor(Math.random() * this.nodes.length);
    this.aim();
  }

  /** How many the URL names. */
  get count(): number {
    return this.nodes.length;
  }

  /** True for a cluster, in which what lives on one node can be away while the rest works on. */
  get several(): boolean {
    return this.nodes.length > 1;
  }

  /** The connection failed or was lost: the next attempt goes to the next node. */
  turn(): void {
    this.at = (this.at + 1) % this.nodes.length;
    this.aim();
  }

  private aim(): void {
    const { hostname, port, protocol, username, password, vhost, heartbeat } = this.nodes[this.at]!;
    this.target.protocol = protocol;
    this.target.hostname = hostname;
    this.target.port = port;
    this.target.username = username;
    this.target.password = password;
    this.target.vhost = vhost;
    this.target.heartbeat = heartbeat;
    this.target.frameMax = 131_072;
  }
}

function parse(text: string): Options.Connect {
  const url = new URL(text);
  const protocol = url.protocol.slice(0, -1);
  return {
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (protocol === 'amqps' ? 5671 : 5672)),
    username: decodeURIComponent(url.username) || 'guest',
    password: decodeURIComponent(url.password) || 'guest',
    // The library decodes the name once more; an empty one is the default virtual host.
    vhost: url.pathname.length > 1 ? url.pathname.slice(1) : '/',
    heartbeat: Number(url.searchParams.get('heartbeat') ?? HEARTBEAT_SECONDS),
  };
}
