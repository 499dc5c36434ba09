import { dayOf, LogPartitions, type DataSource } from '@form-webhooks/storage';

export const FORMS = 200;
const ENDPOINTS_PER_FORM = 3;
const ENDPOINTS_OF_LARGEST = 20;
const DAYS = 28;

/**
 * Fills the log by plain INSERTs, a day at a time: one delivery per attempt, every tenth with a second attempt, over
 * four weeks, 200 forms and some 600 endpoints, 2 % failed. The first form is a large one: a tenth of everything is its,
 * over as many endpoints as a form can have by default.
 */
export async function loadLog(dataSource: DataSource, attempts: number, say: (line: string) => void): Promise<void> {
  const perDay = Math.ceil(attempts / 1.1 / DAYS);
  const today = Date.now();
  const partitions = new LogPartitions(dataSource);
  for (let day = 0; day < DAYS; day++) {
    const name = dayOf(today - day * 86_400_000);
    await partitions.make([name]);
    await dataSource.query(EVENTS, [name, perDay]);
    await dataSource.query(DELIVERIES, [name, perDay]);
    await dataSource.query(ATTEMPTS, [name, perDay]);
    say(`  ${name}: ${perDay} deliveries`);
  }
  await dataSource.query(COUNTS);
  await dataSource.query(LATENCIES);
  await dataSource.query('ANALYZE');
}

const FORM = `'f_' || CASE WHEN n % 10 = 0 THEN 0 ELSE n % ${FORMS} END`;
const ENDPOINT = `CASE WHEN n % 10 = 0 THEN 'we_0_' || (n / 10 % ${ENDPOINTS_OF_LARGEST})
  ELSE 'we_' || (n % ${FORMS}) || '_' || (n % ${ENDPOINTS_PER_FORM}) END`;
const ID = (prefix: string): string => `'${prefix}_' || to_char($1::date, 'YYYYMMDD') || '_' || n`;
const AT = `$1::date + (n * interval '86399 seconds' / $2::integer)`;

const EVENTS = `
  INSERT INTO events (day, event, event_id, form_id, submission_id, tail)
  SELECT $1::date, 'submission.created', ${ID('evt')}, ${FORM}, ${ID('s')}, convert_to('"fields":{"n":' || n || '},"meta":{}}', 'UTF8')
  FROM generate_series(1, $2::integer) AS n`;

const DELIVERIES = `
  INSERT INTO deliveries (accepted_at, generation_started_at, completed_at, last_attempt_at, day, state, reason, event,
    trigger, generation, try, deferrals, attempt_count, last_attempt_generation, last_attempt_try, last_response_status,
    delivery_id, event_id, form_id, submission_id, endpoint_id)
  SELECT ${AT}, ${AT}, ${AT}, ${AT}, $1::date,
    (CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'delivered' END)::delivery_state,
    (CASE WHEN n % 50 = 0 THEN 'rejected' END)::delivery_reason, 'submission.created', 'event', 0,
    (n % 10 = 3)::integer, 0, 1 + (n % 10 = 3)::integer, 0, (n % 10 = 3)::integer, CASE WHEN n % 50 = 0 THEN 404 ELSE 200 END,
    ${ID('dlv')}, ${ID('evt')}, ${FORM}, ${ID('s')}, ${ENDPOINT}
  FROM generate_series(1, $2::integer) AS n`;

const ATTEMPTS = `
  INSERT INTO attempts (started_at, body_timestamp, day, duration_ms, generation, try, endpoint_version, outcome,
    response_status, response_truncated, resent, delivery_id, attempt_id, url, request_headers, response_headers,
    response_excerpt, remote_address)
  SELECT ${AT}, 1795810757, $1::date, 10 + n % 400, 0, t, 1,
    (CASE WHEN t = 0 AND n % 10 = 3 THEN 'retry' ELSE 'delivered' END)::attempt_outcome,
    CASE WHEN t = 0 AND n % 10 = 3 THEN 503 ELSE 200 END, false, false, ${ID('dlv')}, 'att_' || t || '_' || n,
    'https://hooks.example.com/receive', '{"host":"hooks.example.com","content-type":"application/json"}', '{}', 'ok', '192.0.2.1'
  FROM generate_series(1, $2::integer) AS n, generate_series(0, (n % 10 = 3)::integer) AS t`;

const COUNTS = `
  INSERT INTO delivery_counts (hour, last_attempt_at, pending, retrying, cancelled, failed, delivered, form_id, endpoint_id)
  SELECT date_trunc('hour', accepted_at), max(last_attempt_at), 0, 0, 0, count(*) FILTER (WHERE state = 'failed'),
    count(*) FILTER (WHERE state = 'delivered'), form_id, endpoint_id
  FROM deliveries GROUP BY 1, form_id, endpoint_id
  ON CONFLICT DO NOTHING`;

const LATENCIES = `
  INSERT INTO attempt_latencies (hour, bin, attempts, form_id, endpoint_id)
  SELECT hour, bin, delivered / 4, form_id, endpoint_id FROM delivery_counts, generate_series(10, 13) AS bin
  WHERE delivered >= 4
  ON CONFLICT DO NOTHING`;
