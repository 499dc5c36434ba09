import { Injectable } from '@nestjs/common';
import { DataSource, takeTokens, type RateLimit, type TakenTokens, type TokenRequest } from '@form-webhooks/storage';

/** The buckets of all replicas. */
export abstract class SharedBuckets {
  abstract take(bucket: string, limit: RateLimit, request: TokenRequest): Promise<TakenTokens>;
}

/** In PostgreSQL, a short transaction each. */
@Injectable()
export class StoredBuckets extends SharedBuckets {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  take(bucket: string, limit: RateLimit, request: TokenRequest): Promise<TakenTokens> {
    return this.dataSource.transaction((tx) => takeTokens(tx, bucket, limit, request));
  }
}
