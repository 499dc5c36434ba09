import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, hashesInUse } from '@form-webhooks/storage';

const MAX_KNOWN = 10_000;
const ACCEPTED_FOR_MS = 86_400_000;
/** Longer would only help someone who repeats one wrong key; another wrong one takes a token anyway. */
const REFUSED_FOR_MS = 5_000;

/**
 * What became of credentials lately, by their hashes. An accepted one may be looked up without being counted as a guess:
 * it stays welcome from an address where others guess, also right after a restart. A refused one needs no second look.
 * Nothing is granted by it: each call looks its key up.
 */
@Injectable()
export class KnownCredentials implements OnModuleInit {
  private readonly accepted = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: ACCEPTED_FOR_MS });
  private readonly refused = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: REFUSED_FOR_MS });

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    for (const hash of await hashesInUse(this.dataSource.manager, MAX_KNOWN)) this.noteAccepted(hash);
  }

  wasAccepted(hash: string): boolean {
    return this.accepted.has(hash);
  }

  wasRefused(hash: string): boolean {
    return this.refused.has(hash);
  }

  noteAccepted(hash: string): void {
    this.accepted.set(hash, true);
  }

  noteRefused(hash: string): void {
    this.accepted.delete(hash);
    this.refused.set(hash, true);
  }
}
