import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { RateLimiter } from './rate-limiter.js';
import { SharedBuckets, StoredBuckets } from './shared-buckets.js';

/** One limiter for whoever counts something. */
@Module({
  imports: [DatabaseModule],
  providers: [RateLimiter, { provide: SharedBuckets, useClass: StoredBuckets }],
  exports: [RateLimiter],
})
export class RateLimitsModule {}
