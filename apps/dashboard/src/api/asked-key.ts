import { ApiProblem } from './problem.js';

/**
 * The key of what is asked for: the same while the same is, so that an answer that got lost does nothing twice, and
 * another as soon as something else is, which the service would refuse under a key that it has seen.
 */
export class AskedKey {
  private last = { asked: '', key: '' };

  /** @param make a key that nobody has used */
  constructor(private readonly make: () => string) {}

  of(body: object): string {
    const asked = JSON.stringify(body);
    if (this.last.asked !== asked) this.last = { asked, key: this.make() };
    return this.last.key;
  }

  /** After a refusal the same is asked for anew; without an answer it may have been done. */
  failed(error: unknown): void {
    if (error instanceof ApiProblem) this.last = { asked: '', key: '' };
  }
}
