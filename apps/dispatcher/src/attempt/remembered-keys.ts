/** The keys seen last: beyond `max` the oldest are forgotten. */
export class RememberedKeys {
  /** A set keeps the order of insertion. */
  private readonly keys = new Set<string>();

  constructor(private readonly max: number) {}

  has(key: string): boolean {
    return this.keys.has(key);
  }

  add(...keys: readonly string[]): void {
    for (const key of keys) this.keys.add(key);
    for (const oldest of this.keys) {
      if (this.keys.size <= this.max) return;
      this.keys.delete(oldest);
    }
  }
}
