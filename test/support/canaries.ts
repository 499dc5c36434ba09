import { randomBytes } from 'node:crypto';

/**
 * `credential`: opens something, and is in the clear nowhere but in the one answer that shows it. `personal`: what people
 * filled in or receivers answered. `capability`: the path of a webhook's URL, which often is a secret itself.
 * `signature`: what proves that a request is ours.
 */
export type CanaryKind = 'credential' | 'personal' | 'capability' | 'signature';

interface Canary {
  readonly kind: CanaryKind;
  readonly name: string;
  readonly value: string;
}

/** Values that must not come out anywhere but where they belong, each unlike anything else. */
export class Canaries {
  private readonly all: Canary[] = [];

  /** A fresh value of letters and digits alone, so that no escaping can hide it. */
  make(kind: CanaryKind, name: string): string {
    return this.add(kind, name, `canary${randomBytes(12).toString('hex')}`);
  }

  /** A value that somebody else has made. */
  add(kind: CanaryKind, name: string, value: string): string {
    if (value.length < 12) throw new RangeError(`${name} is too short to be told from anything else`);
    this.all.push({ kind, name, value });
    return value;
  }

  /** Which of these kinds a text holds, as they are or encoded; by name, so that a failure says what leaked. */
  foundIn(text: string | Buffer, ...kinds: readonly CanaryKind[]): string[] {
    const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text, 'utf8');
    return this.all
      .filter(({ kind, value }) => kinds.includes(kind) && formsOf(value).some((form) => bytes.includes(form)))
      .map(({ kind, name }) => `${kind}: ${name}`);
  }
}

/** Itself, in hex, and in base64 wherever it begins in a group of three bytes. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const shifted = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes.subarray(0, bytes.length - ((bytes.length + shift) % 3))]);
    return whole.toString('base64').slice(shift === 0 ? 0 : 4);
  });
  return [value, bytes.toString('hex'), ...shifted];
}
