import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The delivery log. `events`, `deliveries` and `attempts` have one partition per UTC day of `accepted_at`, made and
 * dropped by `LogPartitionKeeper`; nothing here makes any. They have no TypeORM entities: their SQL is hand-written.
 */
export class CreateDeliveryLog1764201000000 implements MigrationInterface {
  readonly name = 'CreateDeliveryLog1764201000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TYPES, ...TABLES, ...INDEXES, COMPRESS_TAILS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE erased_submissions, attempt_latencies, delivery_counts, attempts, deliveries, events',
    );
    await runner.query('DROP TYPE attempt_outcome, delivery_trigger, delivery_reason, delivery_state, event_name');
  }
}

/** Four bytes a value instead of up to twenty; `delivery_state` sorts in the order that decides between records. */
const TYPES = [
  `CREATE TYPE event_name AS ENUM ('submission.created', 'payment.succeeded', 'draft.resumed')`,
  `CREATE TYPE delivery_state AS ENUM ('pending', 'retrying', 'cancelled', 'failed', 'delivered')`,
  `CREATE TYPE delivery_reason AS ENUM ('gone', 'redirect', 'rejected', 'exhausted', 'expired', 'not_https',
    'endpoint_disabled', 'endpoint_deleted', 'form_deleted', 'submission_erased')`,
  `CREATE TYPE delivery_trigger AS ENUM ('event', 'test', 'replay')`,
  `CREATE TYPE attempt_outcome AS ENUM ('delivered', 'retry', 'failed')`,
];

/*
 * Columns stand in the order of their alignment, so that no row carries padding. Ids compare as bytes ("C"), which is
 * several times faster than by a locale's rules. Every primary key contains the day, which PostgreSQL asks for.
 */
const TABLES = [
  `CREATE TABLE events (
    day date NOT NULL,
    event event_name NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    submission_id text COLLATE "C" NOT NULL,
    tail bytea,
    CONSTRAINT events_pkey PRIMARY KEY (event_id, day)
  ) PARTITION BY RANGE (day)`,
  `COMMENT ON COLUMN events.tail IS 'what follows event, delivery_id and timestamp in the body; null once erased'`,
  `CREATE TABLE deliveries (
    accepted_at timestamptz(3) NOT NULL,
    generation_started_at timestamptz(3) NOT NULL,
    next_attempt_at timestamptz(3),
    completed_at timestamptz(3),
    last_attempt_at timestamptz(3),
    day date NOT NULL,
    state delivery_state NOT NULL,
    reason delivery_reason,
    event event_name NOT NULL,
    trigger delivery_trigger NOT NULL,
    generation integer NOT NULL,
    try integer NOT NULL,
    deferrals integer NOT NULL,
    attempt_count integer NOT NULL,
    last_attempt_generation integer,
    last_attempt_try integer,
    last_response_status smallint,
    delivery_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    submission_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    last_error text,
    CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id, day)
  ) PARTITION BY RANGE (day)`,
  `CREATE TABLE attempts (
    started_at timestamptz(3) NOT NULL,
    body_timestamp bigint NOT NULL,
    day date NOT NULL,
    duration_ms integer NOT NULL,
    generation integer NOT NULL,
    try integer NOT NULL,
    endpoint_version integer NOT NULL,
    outcome attempt_outcome NOT NULL,
    response_status smallint,
    response_truncated boolean,
    resent boolean NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    attempt_id text COLLATE "C" NOT NULL,
    url text NOT NULL,
    request_headers json NOT NULL,
    response_headers json,
    response_excerpt text,
    error_code text,
    error_message text,
    remote_address text,
    CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, attempt_id, day)
  ) PARTITION BY RANGE (day)`,
  `COMMENT ON COLUMN attempts.body_timestamp IS 'the timestamp in the body, unix seconds; the body is rebuilt from it'`,
  `CREATE TABLE delivery_counts (
    hour timestamptz(0) NOT NULL,
    last_attempt_at timestamptz(3),
    pending integer NOT NULL,
    retrying integer NOT NULL,
    cancelled integer NOT NULL,
    failed integer NOT NULL,
    delivered integer NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    CONSTRAINT delivery_counts_pkey PRIMARY KEY (form_id, endpoint_id, hour)
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE delivery_counts IS 'deliveries by the hour of accepted_at and their present state, tests aside'`,
  `CREATE TABLE attempt_latencies (
    hour timestamptz(0) NOT NULL,
    bin smallint NOT NULL,
    attempts integer NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    CONSTRAINT attempt_latencies_pkey PRIMARY KEY (form_id, endpoint_id, hour, bin)
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE attempt_latencies IS 'attempts by the hour of started_at and the bin of duration_ms, tests aside'`,
  `CREATE TABLE erased_submissions (
    requested_at timestamptz(3) NOT NULL,
    erased_at timestamptz(3),
    form_id text COLLATE "C" NOT NULL,
    submission_id text COLLATE "C" NOT NULL,
    CONSTRAINT erased_submissions_pkey PRIMARY KEY (form_id, submission_id)
  )`,
];

const INDEXES = [
  `CREATE INDEX deliveries_form_id_accepted_at_idx ON deliveries (form_id, accepted_at)`,
  `CREATE INDEX deliveries_endpoint_id_accepted_at_idx ON deliveries (endpoint_id, accepted_at)`,
  // A hash index holds four bytes of an id instead of all of it; nobody asks for a range of submissions.
  `CREATE INDEX deliveries_submission_id_idx ON deliveries USING hash (submission_id)`,
  // What isn't delivered is rare and what people look for; the reconciler looks for what isn't final.
  `CREATE INDEX deliveries_open_idx ON deliveries (form_id, accepted_at) WHERE state IN ('pending', 'retrying')`,
  `CREATE INDEX deliveries_unsuccessful_idx ON deliveries (form_id, accepted_at) WHERE state IN ('failed', 'cancelled')`,
  `CREATE INDEX erased_submissions_unfinished_idx ON erased_submissions (requested_at) WHERE erased_at IS NULL`,
];

/** lz4 costs a fraction of pglz's time; a server built without it keeps its default. */
const COMPRESS_TAILS = `DO $$ BEGIN
  IF 'lz4' = ANY ((SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression')::text[]) THEN
    ALTER TABLE events ALTER COLUMN tail SET COMPRESSION lz4;
  END IF;
END $$`;
