/** The broker of a run: one node, or a cluster behind one address. */
export abstract class BrokerUnderTest {
  /** The address that services and form service use; it stays the same over restarts. */
  abstract readonly url: string;
  abstract start(): Promise<void>;
  abstract stop(): Promise<void>;
  /** Everything of it, kill -9. */
  abstract kill(): Promise<void>;
  /** Runs `rabbitmqctl` on a node that is up. */
  abstract ctl(...args: string[]): Promise<string>;

  /** Gives quorum queues other leaders. A node that is alone has none to give. */
  changeLeaders(_queues: readonly string[]): Promise<void> {
    return Promise.resolve();
  }

  /** The messages in each queue that holds any. */
  async depths(): Promise<ReadonlyMap<string, number>> {
    const rows = JSON.parse(await this.ctl('list_queues', '--quiet', '--formatter', 'json', 'name', 'messages')) as {
      readonly name: string;
      readonly messages: number | '';
    }[];
    return new Map(rows.filter(({ messages }) => messages !== 0).map(({ name, messages }) => [name, Number(messages)]));
  }
}
