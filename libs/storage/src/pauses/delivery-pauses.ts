import type { Transaction } from '../database/data-source.js';

/** What is held back: everything, or what goes to a form's endpoints or to one of them. */
export interface PauseScope {
  /** Null for all forms. */
  readonly formId: string | null;
  /** Null for all endpoints of the form. */
  readonly endpointId: string | null;
}

/** Something that is held back. */
export interface DeliveryPause extends PauseScope {
  readonly since: Date;
}

/** Holds deliveries back from their next lookup on. @returns false if they were held back already */
export async function pauseDeliveries(tx: Transaction, scope: PauseScope): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `INSERT INTO delivery_pauses (form_id, endpoint_id, paused_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT DO NOTHING RETURNING form_id`,
    keyOf(scope),
  );
  return rows.length > 0;
}

/** Lets them go on; what a wider pause holds stays held. @returns false if this was not held back */
export async function resumeDeliveries(tx: Transaction, scope: PauseScope): Promise<boolean> {
  const [, resumed]: [unknown, number] = await tx.query(
    'DELETE FROM delivery_pauses WHERE form_id = $1 AND endpoint_id = $2',
    keyOf(scope),
  );
  return resumed > 0;
}

/** What is held back, the longest first; a thousand at most. */
export async function deliveryPauses(tx: Transaction): Promise<readonly DeliveryPause[]> {
  return tx.query(`
    SELECT nullif(form_id, '') AS "formId", nullif(endpoint_id, '') AS "endpointId", paused_at AS since
    FROM delivery_pauses ORDER BY paused_at, form_id, endpoint_id LIMIT 1000`);
}

const keyOf = ({ formId, endpointId }: PauseScope): string[] => [formId ?? '', endpointId ?? ''];
