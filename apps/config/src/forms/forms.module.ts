import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { FormRegistry } from './form-registry.js';
import { FormsController } from './forms.controller.js';

/** The forms that the form service tells us of. */
@Module({
  imports: [ChangesModule],
  controllers: [FormsController],
  providers: [FormRegistry],
})
export class FormsModule {}
