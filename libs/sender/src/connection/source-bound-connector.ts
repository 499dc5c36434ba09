import type { LookupAddress } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { startDeadline } from '../deadline.js';

export interface SourceBoundConnectorOptions {
  readonly sourceAddresses: readonly string[];
  /** How long one address may take before the next one is tried. */
  readonly connectTimeoutMs: number;
}

/**
 * Connects from given local addresses. Binding switches off Node's own trying of several addresses, so this tries them
 * in turn itself, each from a source address of the same family; several of one family take turns.
 */
export class SourceBoundConnector {
  private readonly sources: Readonly<Record<number, readonly string[]>>;
  private readonly pending = new Set<Socket>();
  private turn = 0;
  private stopped = false;

  constructor(private readonly options: SourceBoundConnectorOptions) {
    const ofFamily = (family: number): string[] =>
      options.sourceAddresses.filter((address) => isIP(address) === family);
    this.sources = { 4: ofFamily(4), 6: ofFamily(6) };
  }

  /**
   * A connected socket to the first address that answers.
   * @param deadline when to give up, by `performance.now()`
   * @throws the last address's error, `ENETUNREACH` if no source address fits any of them, or `ETIMEDOUT`
   */
  async connect(addresses: readonly LookupAddress[], port: number, deadline: number): Promise<Socket> {
    let last: Error = new ConnectError('ENETUNREACH');
    for (const [index, address] of addresses.entries()) {
      const localAddress = this.nextSource(address.family);
      if (localAddress === undefined) continue;
      const left = deadline - performance.now();
      if (left <= 0 || this.stopped) break;
      const isLast = index === addresses.length - 1;
      const timeoutMs = isLast ? left : Math.min(left, this.options.connectTimeoutMs);
      try {
        return await this.dial({ host: address.address, port, localAddress }, timeoutMs);
      } catch (error) {
        last = error as Error;
      }
    }
    throw last;
  }

  /** Gives up everything that is not connected yet. */
  destroy(): void {
    this.stopped = true;
    for (const socket of this.pending) socket.destroy(new ConnectError('ECONNABORTED'));
  }

  private nextSource(family: number): string | undefined {
    const sources = this.sources[family] ?? [];
    return sources[this.turn++ % sources.length];
  }

  private async dial(target: { host: string; port: number; localAddress: string }, timeoutMs: number): Promise<Socket> {
    const socket = connect({ ...target, noDelay: true });
    socket.on('error', () => undefined);
    this.pending.add(socket);
    const cancel = startDeadline(timeoutMs, () => socket.destroy(new ConnectError('ETIMEDOUT')));
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    } finally {
      cancel();
      this.pending.delete(socket);
    }
  }
}

/** An error with the code that the system would have given it. */
class ConnectError extends Error {
  constructor(readonly code: 'ENETUNREACH' | 'ETIMEDOUT' | 'ECONNABORTED') {
    super(code);
  }
}
