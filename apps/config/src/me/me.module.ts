import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';

/** What the caller's credential is and may do. */
@Module({ controllers: [MeController] })
export class MeModule {}
