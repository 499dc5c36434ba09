import { QUEUES } from '@form-webhooks/broker';
import type { FormId } from '@form-webhooks/domain';
import { anEvent } from '../support/config/delivery-log.js';
import type { Fault } from './faults.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** As if the rounds that make coming days had failed for days. */
const DROP_COMING_DAYS = `DO $$ DECLARE day text; BEGIN
  FOR day IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^attempts_[0-9]{8}$'
    AND relname > 'attempts_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') LOOP
    EXECUTE 'DROP TABLE ' || day;
  END LOOP; END $$`;

/** As if the replica that began it had been killed. */
const INTERRUPTED_ERASURE = `INSERT INTO erased_submissions (requested_at, form_id, submission_id)
  VALUES (now() - interval '20 minutes', 'f_erased', 's_erased')`;

const TAMPER = `UPDATE endpoint_secrets SET sealed = overlay(sealed placing 'AA' from length(sealed) - 5 for 2)
  WHERE endpoint_id = $1`;

const HOLD_BACK = `INSERT INTO delivery_pauses (form_id, endpoint_id, paused_at) VALUES ('f_held', '', now())`;

/** What is wrong in queues and tables while every service works. */
export const FAULTS_OF_THE_LOG: readonly Fault[] = [
  {
    what: 'a signing secret was changed in the database',
    alerts: ['SecretsUnreadable'],
    make: async (stage, untilFired) => {
      const id = await stage.register('f_tampered', stage.receiver.url('/tampered'));
      const database = await stage.connect();
      await database.query(TAMPER, [id]);
      await database.end();
      await untilFired(() => stage.post('f_tampered'));
    },
  },
  {
    what: 'an operator holds the deliveries of a form back',
    alerts: ['DeliveriesHeldBack'],
    make: async (stage, untilFired) => {
      const database = await stage.connect();
      // Before a dispatcher has heard of the form: nobody is told of this row.
      await database.query(HOLD_BACK);
      await database.end();
      await stage.register('f_held', stage.receiver.url('/held'));
      await untilFired(() => stage.post('f_held'));
    },
  },
  {
    what: 'messages come that nobody can read, or write',
    alerts: ['MessagesParked', 'MessagesRejected', 'RecordsParked'],
    make: async (stage, untilFired) => {
      await stage.putJunk(QUEUES.events);
      await stage.putJunk(QUEUES.formEvents);
      // Of a day that the log does not have.
      await stage.tellLog([anEvent({ acceptedAt: Date.now() - 100 * DAY_MS })]);
      await untilFired();
    },
  },
  {
    what: 'deliveries are in the log, of a form that it never had, and in no queue; its days are not made nor erased',
    alerts: [
      'DeliveriesOverdue',
      'DeliveriesWereLost',
      'FormsNotRegistered',
      'LogBehind',
      'DaysMissing',
      'ErasuresWait',
    ],
    make: async (stage, untilFired) => {
      const database = await stage.connect();
      await database.query(DROP_COMING_DAYS);
      await database.query(INTERRUPTED_ERASURE);
      await database.end();
      const lost = { formId: 'f_lost' as FormId };
      // Again and again: each is found and sent again, and the log is measured every half minute only.
      await untilFired(() => stage.tellLog([anEvent({ ...lost, acceptedAt: Date.now() - 20 * MINUTE_MS })]));
    },
  },
];
