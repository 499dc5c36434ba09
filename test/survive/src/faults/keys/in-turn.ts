import type { Service } from '../../stage/service.js';
import type { Scene } from '../fault.js';

/**
 * One after another is restarted with these variables in its environment, each ready again before the next.
 *
 * @param envOf what is new for a service; an empty text unsets a setting
 */
export async function restartInTurn(
  { stage }: Scene,
  services: readonly Service[],
  envOf: (service: Service) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  for (const service of services) {
    for (const [name, value] of Object.entries(envOf(service))) service.set(name, value);
    await service.terminate();
    await service.start();
    await stage.untilReady();
  }
}
