import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Forms, endpoints, secrets, keys, the audit log, the outbox and the shared rate limits. */
export class CreateConfigTables1764200000000 implements MigrationInterface {
  readonly name = 'CreateConfigTables1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...APPEND_ONLY]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE rate_limits, outbox, audit_heads, audit_entries, api_keys, endpoint_secrets,
      endpoints, forms`);
    await runner.query('DROP FUNCTION refuse_change()');
  }
}

const TABLES = [
  `CREATE TABLE forms (
    id text NOT NULL CONSTRAINT forms_pkey PRIMARY KEY,
    workspace_id text NOT NULL,
    name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT forms_workspace_id_id_key UNIQUE (workspace_id, id)
  )`,
  `CREATE TABLE endpoints (
    id text NOT NULL CONSTRAINT endpoints_pkey PRIMARY KEY,
    workspace_id text NOT NULL,
    form_id text NOT NULL,
    url text NOT NULL,
    description text,
    events text[] NOT NULL CONSTRAINT endpoints_events_check CHECK (cardinality(events) > 0),
    enabled boolean NOT NULL,
    disabled_reason text,
    version integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    CONSTRAINT endpoints_disabled_reason_check CHECK ((disabled_reason IS NULL) = enabled),
    CONSTRAINT endpoints_workspace_id_id_key UNIQUE (workspace_id, id),
    CONSTRAINT endpoints_workspace_id_form_id_fkey FOREIGN KEY (workspace_id, form_id) REFERENCES forms (workspace_id, id)
  )`,
  `CREATE INDEX endpoints_form_id_created_at_id_idx ON endpoints (form_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE TABLE endpoint_secrets (
    id text NOT NULL CONSTRAINT endpoint_secrets_pkey PRIMARY KEY,
    workspace_id text NOT NULL,
    endpoint_id text NOT NULL,
    sealed text NOT NULL,
    key_id text NOT NULL,
    hint text NOT NULL,
    state text NOT NULL CONSTRAINT endpoint_secrets_state_check CHECK (state IN ('prepared', 'current', 'previous')),
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT endpoint_secrets_expires_at_check CHECK ((state = 'previous') = (expires_at IS NOT NULL)),
    CONSTRAINT endpoint_secrets_endpoint_id_state_key UNIQUE (endpoint_id, state),
    CONSTRAINT endpoint_secrets_workspace_id_endpoint_id_fkey
      FOREIGN KEY (workspace_id, endpoint_id) REFERENCES endpoints (workspace_id, id)
  )`,
  `CREATE INDEX endpoint_secrets_key_id_id_idx ON endpoint_secrets (key_id, id)`,
  `CREATE TABLE api_keys (
    id text NOT NULL CONSTRAINT api_keys_pkey PRIMARY KEY,
    hash text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CONSTRAINT api_keys_kind_check CHECK (kind IN ('workspace', 'service')),
    workspace_id text,
    scopes text[] NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    CONSTRAINT api_keys_workspace_id_check CHECK ((kind = 'workspace') = (workspace_id IS NOT NULL))
  )`,
  `CREATE INDEX api_keys_workspace_id_created_at_id_idx ON api_keys (workspace_id, created_at, id)`,
  `CREATE TABLE audit_entries (
    workspace_id text NOT NULL,
    seq bigint NOT NULL,
    id text NOT NULL CONSTRAINT audit_entries_id_key UNIQUE,
    at timestamptz(3) NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    form_id text,
    text text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (workspace_id, seq)
  )`,
  `CREATE INDEX audit_entries_workspace_id_form_id_seq_idx ON audit_entries (workspace_id, form_id, seq)`,
  `CREATE INDEX audit_entries_workspace_id_at_idx ON audit_entries (workspace_id, at)`,
  `CREATE TABLE audit_heads (
    workspace_id text NOT NULL CONSTRAINT audit_heads_pkey PRIMARY KEY,
    seq bigint NOT NULL,
    hash text NOT NULL
  )`,
  `CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT outbox_pkey PRIMARY KEY,
    kind text NOT NULL CONSTRAINT outbox_kind_check CHECK (kind IN ('config_change', 'delivery')),
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNLOGGED TABLE rate_limits (
    bucket text NOT NULL CONSTRAINT rate_limits_pkey PRIMARY KEY,
    tokens double precision NOT NULL,
    refilled_at timestamptz(3) NOT NULL,
    full_at timestamptz(3) NOT NULL
  )`,
];

/** The database itself keeps the audit log append-only, whatever role the application runs as. */
const APPEND_ONLY = [
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
  END $$`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // ALWAYS: also for sessions that switch ordinary triggers off with session_replication_role.
  `ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only,
    ENABLE ALWAYS TRIGGER audit_entries_no_truncate`,
];
