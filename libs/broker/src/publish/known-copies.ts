import { inTime } from '@form-webhooks/domain';

interface Copy {
  readonly confirmed: Promise<void>;
  /** How many calls wait for its confirm. */
  waiting: number;
}

/**
 * Messages that were published and are neither confirmed nor failed yet, by an id of the caller's. Publishing one again
 * after a time-out would make a second copy, although the first may still lie in the connection and arrive later, as it
 * does after an alarm of the broker. Here the second publish waits for the first copy. Use `publishPatiently`: the
 * publisher must know of a copy for longer than anybody waits here. The publisher's limit of unconfirmed messages
 * bounds the number of copies.
 */
export class KnownCopies<Id> {
  private readonly underway = new Map<Id, Copy>();

  /** @param onConfirmedLate told of a confirm that nobody waited for any more */
  constructor(private readonly onConfirmedLate: (id: Id) => void) {}

  has(id: Id): boolean {
    return this.underway.has(id);
  }

  /**
   * Publishes unless there is a copy already. @returns whether it was confirmed within the time
   * @throws what the publish throws, if that is soon enough
   */
  async publish(id: Id, publish: () => Promise<void>, withinMs: number): Promise<boolean> {
    const copy = this.underway.get(id) ?? this.start(id, publish);
    copy.waiting += 1;
    if (await inTime(copy.confirmed, withinMs)) return true;
    copy.waiting -= 1;
    return false;
  }

  private start(id: Id, publish: () => Promise<void>): Copy {
    const copy: Copy = { confirmed: publish(), waiting: 0 };
    this.underway.set(id, copy);
    copy.confirmed.then(
      () => {
        this.underway.delete(id);
        if (copy.waiting === 0) this.onConfirmedLate(id);
      },
      () => this.underway.delete(id),
    );
    return copy;
  }
}
