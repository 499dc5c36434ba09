import { Module } from '@nestjs/common';
import { SenderModule } from '../sender/sender.module.js';
import { UrlCheckController } from './url-check.controller.js';

/** Does this URL respond, asked by config. */
@Module({
  imports: [SenderModule],
  controllers: [UrlCheckController],
})
export class UrlCheckModule {}
