import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { issueCertificate, type CertificateAuthority } from '@form-webhooks/local';
import type { ReceiverAnswer, ReceiverRequest } from './receiver-process.js';

/** The counting receiver, seen from the bench. */
export class BenchReceiver {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(authority: CertificateAuthority): Promise<BenchReceiver> {
    const { cert, key } = await issueCertificate(authority);
    const child = fork(join(import.meta.dirname, 'receiver-process.js'), {
      env: { ...process.env, BENCH_CERT: cert, BENCH_KEY: key },
    });
    const [message] = (await once(child, 'message')) as [{ port: number }];
    return new BenchReceiver(child, message.port);
  }

  get pid(): number {
    return this.child.pid!;
  }

  url(path: string): string {
    return `https://localhost:${this.port}${path}`;
  }

  /** POSTs so far. */
  async count(): Promise<number> {
    return ((await this.ask({ ask: 'count' })) as { count: number }).count;
  }

  /** When timed submissions arrived, since the last call. */
  async arrivals(): Promise<readonly (readonly [string, number])[]> {
    return ((await this.ask({ ask: 'arrivals' })) as { arrivals: [string, number][] }).arrivals;
  }

  stop(): void {
    this.child.disconnect();
  }

  private async ask(request: ReceiverRequest): Promise<ReceiverAnswer> {
    const answer = once(this.child, 'message');
    this.child.send(request);
    return ((await answer) as [ReceiverAnswer])[0];
  }
}
