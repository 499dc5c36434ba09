import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { issueCertificate, type CertificateAuthority } from '@form-webhooks/local';
import type { Answer, Ask } from './receiver-process.js';
import type { Group, ReceiverKind } from './scenarios.js';

const PATHS: Readonly<Record<ReceiverKind, string>> = {
  answers: '/fast',
  'answers after 200 ms': '/slow200-',
  'answers after 2 s': '/slow2000-',
  hangs: '/hang',
  refuses: '/refuse',
};

/** The receivers of a scenario, seen from the bench. Questions are asked one after another. */
export class Receivers {
  private answered: Promise<unknown> = Promise.resolve();

  private constructor(private readonly child: ChildProcess) {}

  static async start(authority: CertificateAuthority): Promise<Receivers> {
    const { cert, key } = await issueCertificate(authority);
    const env = { ...process.env, BENCH_CERT: cert, BENCH_KEY: key };
    return new Receivers(fork(join(import.meta.dirname, 'receiver-process.js'), { env }));
  }

  /** The URLs of a group's endpoints, and the ports at which they are. */
  async urlsOf({ kind, endpoints, origins }: Group): Promise<{ urls: string[]; ports: readonly number[] }> {
    const { ports } = (await this.ask({ ask: 'listen', origins })) as { ports: readonly number[] };
    const urls = Array.from(
      { length: endpoints },
      (_, n) => `https://localhost:${ports[n % ports.length]}${PATHS[kind]}${n}`,
    );
    return { urls, ports };
  }

  /** When timed submissions arrived since the last call, ms since the epoch. */
  async arrivals(): Promise<readonly (readonly [string, number])[]> {
    return ((await this.ask({ ask: 'arrivals' })) as { arrivals: [string, number][] }).arrivals;
  }

  async close(ports: readonly number[]): Promise<void> {
    await this.ask({ ask: 'close', ports });
  }

  stop(): void {
    this.child.disconnect();
  }

  private ask(asked: Ask): Promise<Answer> {
    const answer = this.answered.then(async () => {
      const told = once(this.child, 'message');
      this.child.send(asked);
      return ((await told) as [Answer])[0];
    });
    this.answered = answer;
    return answer;
  }
}
