import { join } from 'node:path';
import { reasonOf } from './failure.js';
import { installationsSettled } from './provide/install-packages.js';
import { LocalStack } from './local-stack.js';
import { LinePrinter } from './processes/line-printer.js';
import { StopList } from './processes/stop-list.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * `npm start`: brings everything up, shows that it works, and stays until it is told to stop. Returns the exit code.
 * @param observe whether a Prometheus runs beside it
 */
export async function start(root: string, observe: boolean): Promise<number> {
  const { say } = new LinePrinter(process.stdout);
  // The terminal may be gone before this process is: that must not keep it from stopping the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const stops = new StopList(say);
  stops.add('The installation of packages', installationsSettled);
  const told = new AbortController();
  const stopped = new Promise<number>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (told.signal.aborted) return say('Everything is being stopped; a moment, please.');
        say(`\nStopping (${signal})`);
        told.abort();
        void stops.stop().then(() => resolve(0));
      });
    }
  });
  const stack = new LocalStack({ root, folder: join(root, '.local'), say, stops, signal: told.signal, observe });
  const failed = stack.run().then(
    () => stopped,
    async (thrown: unknown) => {
      if (told.signal.aborted) return stopped;
      told.abort();
      say(`\n${reasonOf(thrown)}`);
      await stops.stop();
      return 1;
    },
  );
  const code = await Promise.race([stopped, failed]);
  say('Stopped.');
  return code;
}
