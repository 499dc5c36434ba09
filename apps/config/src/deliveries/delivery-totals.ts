import { Injectable } from '@nestjs/common';
import type { DeliveryTotalDto, DeliveryTotalQueryDto } from '@form-webhooks/http-api';
import {
  countMatching,
  DataSource,
  isStatementCancelled,
  limitStatements,
  retainedNow,
  sumMatching,
  type DeliveryFilter,
  type Form,
} from '@form-webhooks/storage';
import { ConfigSettings } from '../settings.js';
import { filterOf } from './log-filter.js';

/** Deliveries that are counted one by one; nobody reads a list that long to its end. */
const MAX_COUNTED = 10_000;
/** Someone waits for the answer, and a list is of use without its total. */
const COUNT_TIMEOUT_MS = 500;

/** Says how many deliveries a list has without reading it. */
@Injectable()
export class DeliveryTotals {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: ConfigSettings,
  ) {}

  async of(form: Form, query: DeliveryTotalQueryDto): Promise<DeliveryTotalDto> {
    const filter = filterOf(query);
    const counted = await this.count(form, filter);
    if (counted !== null && counted <= MAX_COUNTED) return { total: counted, precision: 'exact' };
    const sum = await sumMatching(this.dataSource.manager, form.id, filter);
    if (sum !== null) return { total: Math.max(sum, counted ?? 0), precision: 'approximate' };
    return counted === null ? { total: null, precision: 'unknown' } : { total: MAX_COUNTED, precision: 'at_least' };
  }

  /** @returns null if it would take too long */
  private async count(form: Form, filter: DeliveryFilter): Promise<number | null> {
    try {
      return await this.dataSource.transaction(async (tx) => {
        await limitStatements(tx, COUNT_TIMEOUT_MS);
        const retained = await retainedNow(tx, this.settings.retention.days);
        return countMatching(tx, form.id, filter, retained, MAX_COUNTED);
      });
    } catch (error) {
      if (isStatementCancelled(error)) return null;
      throw error;
    }
  }
}
