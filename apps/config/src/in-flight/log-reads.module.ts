import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { LogReads } from './log-reads.js';

/** The turns in which callers read the log; one for all that read it. */
@Module({ imports: [DatabaseModule], providers: [LogReads], exports: [LogReads] })
export class LogReadsModule {}
