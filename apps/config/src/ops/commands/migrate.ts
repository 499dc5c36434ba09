import { migrate, pendingMigrations } from '@form-webhooks/storage';
import { withDatabase } from '../connect.js';
import { EXIT, type OpsCommand } from '../ops-command.js';

/** Brings the schema up to date. */
export const MIGRATE: OpsCommand = {
  name: 'migrate',
  takes: [],
  summary: 'brings the schema up to date, as config does at its start; harmless beside running services',
  options: { check: { type: 'boolean', meaning: 'only say what is missing; ends with 1 if anything is' } },
  async run({ installation, output, values }) {
    return withDatabase(installation, async (dataSource) => {
      if (values['check'] === true) {
        const { missing } = await pendingMigrations(dataSource);
        output.result({ missing }, missing.length === 0 ? ['the schema is up to date'] : missing);
        return missing.length === 0 ? EXIT.fine : EXIT.found;
      }
      const ran = await migrate(dataSource);
      output.result({ ran }, ran.length === 0 ? ['the schema was up to date'] : ran.map((name) => `done: ${name}`));
      return EXIT.fine;
    });
  },
};
