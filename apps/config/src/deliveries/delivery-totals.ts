import { Injectable } from '@nestjs/common';
import type { DeliveryTotalDto, DeliveryTotalQueryDto } from '@form-webhooks/http-api';
import {
  countMatching,
  isStatementCancelled,
  isSummed,
  retainedDays,
  sumMatching,
  type Form,
} from '@form-webhooks/storage';
import { LogReads, type LogRead } from '../in-flight/log-reads.js';
import { ConfigSettings } from '../settings.js';
import { filterOf } from './log-filter.js';

/** Deliveries that are counted one by one; nobody reads a list that long to its end. */
const MAX_COUNTED = 10_000;
/** Someone waits for the answer, and a list is of use without its total. */
const COUNT_TIMEOUT_MS = 500;
/** Of a few hourly counts for each endpoint: only a database in trouble needs longer. */
const SUM_TIMEOUT_MS = 2_000;

/** Says how many deliveries a list has without reading it. */
@Injectable()
export class DeliveryTotals {
  constructor(
    private readonly reads: LogReads,
    private readonly settings: ConfigSettings,
  ) {}

  /** @throws Problem 429 */
  async of(form: Form, query: DeliveryTotalQueryDto): Promise<DeliveryTotalDto> {
    const filter = filterOf(query);
    const counted = await this.read(form, COUNT_TIMEOUT_MS, (tx, now) => {
      const retained = retainedDays(now.getTime(), this.settings.retention.days);
      return countMatching(tx, form.id, filter, retained, MAX_COUNTED);
    });
    if (counted !== null && counted <= MAX_COUNTED) return { total: counted, precision: 'exact' };
    const sum = isSummed(filter)
      ? await this.read(form, SUM_TIMEOUT_MS, (tx) => sumMatching(tx, form.id, filter))
      : null;
    if (sum !== null) return { total: Math.max(sum, counted ?? 0), precision: 'approximate' };
    return counted === null ? { total: null, precision: 'unknown' } : { total: MAX_COUNTED, precision: 'at_least' };
  }

  /** @returns null if it would take too long */
  private async read<T>(form: Form, limitMs: number, work: LogRead<T>): Promise<T | null> {
    try {
      return await this.reads.read(form.workspaceId, work, limitMs);
    } catch (error) {
      if (isStatementCancelled(error)) return null;
      throw error;
    }
  }
}
