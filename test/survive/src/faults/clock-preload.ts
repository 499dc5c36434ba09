import { readFileSync } from 'node:fs';

/*
 * Loaded into a service before its own code (`node --import`): on SIGUSR2 its clock steps by as many milliseconds as
 * the file says that SURVIVE_CLOCK_FILE names. Monotonic time (timers, performance.now) goes on, as when the clock of
 * a machine is set.
 */

const RealDate = Date;
const realNow = Date.now;

function step(offsetMs: number): void {
  RealDate.now = () => realNow() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget) as Date,
    apply: (target) => new target(target.now()).toString(),
  });
}

process.on('SIGUSR2', () => step(Number(readFileSync(process.env['SURVIVE_CLOCK_FILE']!, 'utf8'))));
