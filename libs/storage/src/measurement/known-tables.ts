/** Which migration makes which tables, days of the log aside. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  CreateConfigTables1764200000000: [
    ...['forms', 'endpoints', 'endpoint_secrets', 'api_keys', 'audit_entries', 'audit_heads', 'outbox', 'rate_limits'],
  ],
  CreateDeliveryLog1764201000000: [
    ...['events', 'deliveries', 'attempts', 'delivery_counts', 'attempt_latencies', 'erased_submissions'],
  ],
  CreateReplays1764202000000: ['replays', 'replay_items'],
  CreateReconciliations1764203000000: ['reconciliations', 'reconciliation_items'],
  CreateIdempotentWrites1764205000000: ['idempotent_writes'],
  CreateEndpointHeaders1764220000000: ['endpoint_headers'],
  CreateEndpointFailures1764232000000: ['endpoint_failures'],
  CreateDashboardGrants1764236000000: ['dashboard_grants'],
  CreateAttemptFailures1764251000000: ['attempt_failures'],
  CreateDeliveryPauses1764261000000: ['delivery_pauses'],
};

/** Every table of a database that config has filled, days of the log aside. `migrations` no migration makes. */
export const TABLES: readonly string[] = ['migrations', ...Object.values(MADE_BY).flat()];

/** The tables that these migrations make. */
export const tablesMadeBy = (migrations: readonly string[]): readonly string[] =>
  migrations.flatMap((name) => MADE_BY[name] ?? []);
