const EXAMPLES = 5;

/** One kind of thing that must not be: how often it was found, and examples to look for. */
export class Finding {
  private found = 0;
  private readonly examples: string[] = [];

  constructor(readonly what: string) {}

  get count(): number {
    return this.found;
  }

  add(example: string): void {
    this.found += 1;
    if (this.examples.length < EXAMPLES) this.examples.push(example);
  }

  toString(): string {
    return `${this.found} × ${this.what}: ${this.examples.join('; ')}${this.found > EXAMPLES ? '; …' : ''}`;
  }
}
