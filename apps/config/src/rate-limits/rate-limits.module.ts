import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { RateLimiter } from './rate-limiter.js';

/** One limiter for whoever counts something. */
@Module({
  imports: [DatabaseModule],
  providers: [RateLimiter],
  exports: [RateLimiter],
})
export class RateLimitsModule {}
