import { Module } from '@nestjs/common';
import { ConfigBrokerModule } from '../broker.module.js';
import { LogDatabaseModule } from '../database/database.module.js';
import { ParkedCopies } from './parked-copies.js';
import { ParkedReview } from './parked-review.js';

/** Looking through what is parked, for whoever must know what is in there. */
@Module({
  imports: [LogDatabaseModule, ConfigBrokerModule],
  providers: [ParkedCopies, ParkedReview],
  exports: [ParkedCopies, ParkedReview],
})
export class ParkedModule {}
