import { Module } from '@nestjs/common';
import { SettingsModule } from '@form-webhooks/settings';
import { ChangesModule } from '../changes/changes.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ApiSettings } from '../http/api-settings.js';
import { FormListController } from './form-list.controller.js';
import { FormRegistry } from './form-registry.js';
import { FormViews } from './form-views.js';
import { FormsController } from './forms.controller.js';

/** The forms that the form service tells us of. */
@Module({
  imports: [SettingsModule.forFeature(ApiSettings), ChangesModule, DatabaseModule],
  controllers: [FormListController, FormsController],
  providers: [FormRegistry, FormViews],
})
export class FormsModule {}
