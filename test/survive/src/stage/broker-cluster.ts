import { join } from 'node:path';
import { RabbitMqServer } from '@form-webhooks/local';
import { BrokerUnderTest } from './broker-under-test.js';

const NODES = 3;

/** A cluster of RabbitMQ nodes on the loopback, whose addresses the services get as a list. */
export class BrokerCluster extends BrokerUnderTest {
  readonly nodes: readonly RabbitMqServer[];
  private hasStarted = false;

  constructor(folder: string) {
    super();
    const first = new RabbitMqServer({ folder: join(folder, 'node-1') });
    const others = Array.from(
      { length: NODES - 1 },
      (_, n) => new RabbitMqServer({ folder: join(folder, `node-${n + 2}`), joins: first }),
    );
    this.nodes = [first, ...others];
  }

  override get url(): string {
    return this.nodes.map(({ url }) => url).join(',');
  }

  /** The first time one after another, as they join; later together, as they wait for each other. */
  override async start(): Promise<void> {
    if (this.hasStarted) return void (await Promise.all(this.nodes.map((node) => node.start())));
    this.hasStarted = true;
    for (const node of this.nodes) await node.start();
  }

  override async stop(): Promise<void> {
    // The first one last: its epmd serves all of them.
    for (const node of [...this.nodes].reverse()) await node.stop();
  }

  override async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }

  /** Ends one node in order, as an upgrade does it. */
  async shutDown(node: RabbitMqServer): Promise<void> {
    const { ended } = node;
    await node.ctl('shutdown');
    await ended;
  }

  /**
   * Parts one node from the others, as a broken network does it: each side has a wrong cookie for the other, so that
   * their connections are ended and no new one is made. No packet filter is needed, and clients reach every node.
   */
  async cutOff(node: RabbitMqServer): Promise<void> {
    const others = this.nodes.filter((other) => other !== node);
    const part = (from: RabbitMqServer, to: RabbitMqServer): Promise<string> =>
      from.ctl('eval', `erlang:set_cookie('${to.nodeName}', parted), erlang:disconnect_node('${to.nodeName}').`);
    await Promise.all(others.map((other) => part(other, node)));
    for (const other of others) await part(node, other);
  }

  /** Lets them see each other again. The node that was alone had stopped serving, and comes back by itself. */
  async reconnect(node: RabbitMqServer): Promise<void> {
    const others = this.nodes.filter((other) => other !== node);
    const mend = (from: RabbitMqServer, to: RabbitMqServer): Promise<string> =>
      from.ctl('eval', `erlang:set_cookie('${to.nodeName}', erlang:get_cookie()), net_adm:ping('${to.nodeName}').`);
    for (const other of others) await mend(node, other);
    await Promise.all(others.map((other) => mend(other, node)));
  }

  /**
   * A node whose disk is gone, under its own name: the others forget it, it joins them empty, and each quorum queue gets
   * a member on it again.
   * @returns what was seen
   */
  async replace(node: RabbitMqServer): Promise<string> {
    const name = node.nodeName;
    node.wipe();
    await this.ctl('forget_cluster_node', name);
    await node.start();
    const grown = await this.ctl('eval', `length(rabbit_quorum_queue:grow('${name}', <<"/">>, <<".*">>, all)).`);
    return `${grown.trim()} queues have a member on it again`;
  }

  override async changeLeaders(queues: readonly string[]): Promise<void> {
    const names = queues.map((name) => `<<"${name}">>`).join(', ');
    await this.ctl(
      'eval',
      `[begin
         {ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, Name)),
         {_, Leader} = amqqueue:get_pid(Queue),
         [Other | _] = rabbit_quorum_queue:get_replicas(Queue) -- [Leader],
         rabbit_quorum_queue:transfer_leadership(Queue, Other)
       end || Name <- [${names}]].`,
    );
  }

  override ctl(...args: string[]): Promise<string> {
    const node = this.nodes.find(({ pid }) => pid !== undefined);
    if (!node) throw new Error('no node of the cluster is up');
    return node.ctl(...args);
  }
}
