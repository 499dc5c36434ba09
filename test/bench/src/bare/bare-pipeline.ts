import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchStack } from '../bench-stack.js';

const PARTS = ['config', 'dispatcher', 'ingest'] as const;

/** The bare pipeline on the product's servers, to the same receiver. */
export class BarePipeline {
  private constructor(
    readonly url: string,
    private readonly parts: readonly ChildProcess[],
  ) {}

  static async start(stack: BenchStack, paths: readonly string[]): Promise<BarePipeline> {
    const env = {
      PATH: process.env['PATH'],
      RABBITMQ_URL: stack.rabbitmq.url,
      DATABASE_URL: stack.postgres.url,
      BENCH_CA_FILE: stack.caFile,
      BARE_RECEIVER: stack.receiver.url(''),
      BARE_PATHS: paths.join(','),
    };
    const parts: ChildProcess[] = [];
    let port = 0;
    for (const part of PARTS) {
      const child = fork(join(import.meta.dirname, `bare-${part}.js`), { env });
      parts.push(child);
      port = ((await once(child, 'message')) as [{ port: number }])[0].port;
    }
    return new BarePipeline(`http://127.0.0.1:${port}/`, parts);
  }

  /** Each process by the name of the service whose part it plays. */
  pids(): readonly (readonly [string, number])[] {
    return PARTS.map((part, n) => [part, this.parts[n]!.pid!] as const);
  }

  async stop(): Promise<void> {
    const ended = this.parts.map((part) => once(part, 'exit'));
    for (const part of this.parts) part.disconnect();
    await Promise.all(ended);
  }
}
