// Generated from the OpenAPI document of apps/config by `npm run client`. Not to be edited.
export interface paths {
  '/v1/forms/{form_id}/endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_endpoints'];
    put?: never;
    post: operations['create_endpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_endpoint'];
    put?: never;
    post?: never;
    delete: operations['delete_endpoint'];
    options?: never;
    head?: never;
    patch: operations['update_endpoint'];
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}/secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_secret_state'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/prepare': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['prepare_secret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/regenerate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['regenerate_secret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}/secret/previous/{secret_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations['set_secret_overlap'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoints/{endpoint_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['send_test'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_me'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_forms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_form'];
    put: operations['register_form'];
    post?: never;
    delete: operations['remove_form'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_api_keys'];
    put?: never;
    post: operations['create_api_key'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys/{key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['revoke_api_key'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_audit_entries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/dashboard/codes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['create_dashboard_code'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/dashboard/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_dashboard_session'];
    put?: never;
    post: operations['begin_dashboard_session'];
    delete: operations['end_dashboard_session'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/source-ips': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_source_ips'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_events'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/events/send': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['send_events'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/event-search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['find_event'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_deliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/total': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['count_deliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/{delivery_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_delivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/{delivery_id}/attempts/{attempt_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_attempt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/{delivery_id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['replay_delivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/{delivery_id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['retry_delivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/deliveries/{delivery_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['cancel_delivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/replays/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['preview_replay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/replays': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_replays'];
    put?: never;
    post: operations['create_replay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/replays/{replay_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_replay'];
    put?: never;
    post?: never;
    delete: operations['cancel_replay'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['get_stats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/endpoint-health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['list_endpoint_health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/submissions/{submission_id}/data': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['erase_submission'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/forms/{form_id}/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['watch_form'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    FieldProblemDto: {
      field: string;
      code: string;
      message: string;
    };
    ProblemDto: {
      type: string;
      title: string;
      status: number;
      detail: string;
      code?: string;
      errors?: components['schemas']['FieldProblemDto'][];
      endpoint_id?: string;
      request_id: string;
    };
    EndpointDto: {
      id: string;
      form_id: string;
      url: string;
      description: string | null;
      events: ('submission.created' | 'payment.succeeded' | 'draft.resumed')[];
      enabled: boolean;
      /** @enum {string|null} */
      disabled_reason: 'owner' | 'gone' | null;
      /** Format: date-time */
      disabled_at: string | null;
      header_names: string[];
      retry_statuses: number[] | null;
      redirect_is_success: boolean;
      retry_schedule: string[] | null;
      attempts_allowed: number;
      /** Format: double */
      rate_limit: number | null;
      version: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      secret_hint: string;
      /** Format: date-time */
      last_delivery_at: string | null;
    };
    EndpointListDto: {
      items: components['schemas']['EndpointDto'][];
      next_cursor: string | null;
    };
    CreateEndpointDto: {
      retry_statuses?: number[] | null;
      /** @default false */
      redirect_is_success?: boolean;
      retry_schedule?: string[] | null;
      /** Format: double */
      rate_limit?: number | null;
      /** @default false */
      allow_duplicate_url?: boolean;
      url: string;
      description?: string | null;
      events?: ('submission.created' | 'payment.succeeded' | 'draft.resumed')[];
      /** @default true */
      enabled?: boolean;
      headers?: {
        [key: string]: string;
      };
    };
    EndpointWithSecretDto: {
      id: string;
      form_id: string;
      url: string;
      description: string | null;
      events: ('submission.created' | 'payment.succeeded' | 'draft.resumed')[];
      enabled: boolean;
      /** @enum {string|null} */
      disabled_reason: 'owner' | 'gone' | null;
      /** Format: date-time */
      disabled_at: string | null;
      header_names: string[];
      retry_statuses: number[] | null;
      redirect_is_success: boolean;
      retry_schedule: string[] | null;
      attempts_allowed: number;
      /** Format: double */
      rate_limit: number | null;
      version: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      secret_hint: string;
      /** Format: date-time */
      last_delivery_at: string | null;
      secret: string | null;
    };
    UpdateEndpointDto: {
      retry_statuses?: number[] | null;
      /** @default false */
      redirect_is_success?: boolean;
      retry_schedule?: string[] | null;
      /** Format: double */
      rate_limit?: number | null;
      /** @default false */
      allow_duplicate_url?: boolean;
      url?: string;
      description?: string | null;
      events?: ('submission.created' | 'payment.succeeded' | 'draft.resumed')[];
      enabled?: boolean;
      headers?: {
        [key: string]: string | null;
      };
    };
    SecretDto: {
      id: string;
      hint: string;
      /** Format: date-time */
      created_at: string;
      created_by: string | null;
      /** Format: date-time */
      since: string;
      /** Format: date-time */
      expires_at: string | null;
    };
    SecretStateDto: {
      current: components['schemas']['SecretDto'];
      prepared: components['schemas']['SecretDto'] | null;
      previous: components['schemas']['SecretDto'][];
      prepare_ends: components['schemas']['SecretDto'][];
      regenerate_ends: components['schemas']['SecretDto'][];
    };
    RotatedSecretDto: {
      id: string;
      form_id: string;
      url: string;
      description: string | null;
      events: ('submission.created' | 'payment.succeeded' | 'draft.resumed')[];
      enabled: boolean;
      /** @enum {string|null} */
      disabled_reason: 'owner' | 'gone' | null;
      /** Format: date-time */
      disabled_at: string | null;
      header_names: string[];
      retry_statuses: number[] | null;
      redirect_is_success: boolean;
      retry_schedule: string[] | null;
      attempts_allowed: number;
      /** Format: double */
      rate_limit: number | null;
      version: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      secret_hint: string;
      /** Format: date-time */
      last_delivery_at: string | null;
      secret: string | null;
      ended: components['schemas']['SecretDto'][];
    };
    RegenerateSecretDto: {
      /** @default 0 */
      overlap_seconds?: number;
    };
    SecretOverlapDto: {
      overlap_seconds: number;
    };
    TestSendDto: {
      /**
       * @default submission.created
       * @enum {string}
       */
      event?: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      fields?: {
        [key: string]: unknown;
      };
    };
    TestWarningDto: {
      /** @enum {string} */
      code: 'endpoint_disabled' | 'event_not_selected';
      message: string;
    };
    AcceptedTestDto: {
      delivery_id: string;
      warnings: components['schemas']['TestWarningDto'][];
    };
    MeDto: {
      /** @enum {string} */
      kind: 'workspace_key' | 'service_key' | 'user';
      actor: string;
      scopes: (
        | 'events:write'
        | 'forms:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'secrets:write'
        | 'deliveries:read'
        | 'deliveries:replay'
        | 'payload:read'
        | 'data:erase'
        | 'audit:read'
        | 'keys:write'
      )[];
      workspaces: string[] | null;
      forms: string[] | null;
      /** Format: date-time */
      expires_at: string | null;
      expires_in_seconds: number | null;
    };
    FormDto: {
      id: string;
      workspace_id: string;
      name: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    FormListDto: {
      items: components['schemas']['FormDto'][];
      next_cursor: string | null;
    };
    RegisterFormDto: {
      workspace_id: string;
      name: string;
    };
    CreateApiKeyDto: {
      name: string;
      /**
       * @default workspace
       * @enum {string}
       */
      kind?: 'workspace' | 'service';
      workspace_id?: string;
      scopes: (
        | 'events:write'
        | 'forms:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'secrets:write'
        | 'deliveries:read'
        | 'deliveries:replay'
        | 'payload:read'
        | 'data:erase'
        | 'audit:read'
        | 'keys:write'
      )[];
      /** Format: date-time */
      expires_at?: string | null;
    };
    CreatedApiKeyDto: {
      id: string;
      name: string;
      /** @enum {string} */
      kind: 'workspace' | 'service';
      workspace_id: string | null;
      scopes: (
        | 'events:write'
        | 'forms:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'secrets:write'
        | 'deliveries:read'
        | 'deliveries:replay'
        | 'payload:read'
        | 'data:erase'
        | 'audit:read'
        | 'keys:write'
      )[];
      /** Format: date-time */
      expires_at: string | null;
      /** Format: date-time */
      last_used_at: string | null;
      /** Format: date-time */
      created_at: string;
      key: string;
    };
    ApiKeyDto: {
      id: string;
      name: string;
      /** @enum {string} */
      kind: 'workspace' | 'service';
      workspace_id: string | null;
      scopes: (
        | 'events:write'
        | 'forms:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'secrets:write'
        | 'deliveries:read'
        | 'deliveries:replay'
        | 'payload:read'
        | 'data:erase'
        | 'audit:read'
        | 'keys:write'
      )[];
      /** Format: date-time */
      expires_at: string | null;
      /** Format: date-time */
      last_used_at: string | null;
      /** Format: date-time */
      created_at: string;
    };
    ApiKeyListDto: {
      items: components['schemas']['ApiKeyDto'][];
      next_cursor: string | null;
    };
    AuditTargetDto: {
      type: string;
      id: string;
    };
    AuditChangeDto: {
      field: string;
      old?:
        | (string | null)
        | (number | null)
        | (boolean | null)
        | ((string | null) | (number | null) | (boolean | null))[]
        | {
            [key: string]:
              | (string | null)
              | (number | null)
              | (boolean | null)
              | ((string | null) | (number | null) | (boolean | null))[];
          };
      new?:
        | (string | null)
        | (number | null)
        | (boolean | null)
        | ((string | null) | (number | null) | (boolean | null))[]
        | {
            [key: string]:
              | (string | null)
              | (number | null)
              | (boolean | null)
              | ((string | null) | (number | null) | (boolean | null))[];
          };
    };
    AuditEntryDto: {
      id: string;
      workspace_id: string;
      seq: number;
      /** Format: date-time */
      at: string;
      actor: string;
      key_id: string | null;
      ip: string | null;
      action: string;
      form_id: string | null;
      target: components['schemas']['AuditTargetDto'];
      changes: components['schemas']['AuditChangeDto'][];
      hash: string;
    };
    AuditListDto: {
      items: components['schemas']['AuditEntryDto'][];
      next_cursor: string | null;
    };
    CreateDashboardCodeDto: {
      form_id: string;
      user?: string;
      /** @enum {string} */
      role?: 'owner' | 'viewer';
      /** Format: uri */
      host_url?: string;
    };
    DashboardCodeDto: {
      code: string;
      path: string;
      /** Format: date-time */
      expires_at: string;
    };
    ExchangeDashboardCodeDto: {
      code: string;
    };
    DashboardSessionDto: {
      actor: string;
      workspace_id: string;
      scopes: (
        | 'events:write'
        | 'forms:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'secrets:write'
        | 'deliveries:read'
        | 'deliveries:replay'
        | 'payload:read'
        | 'data:erase'
        | 'audit:read'
        | 'keys:write'
      )[];
      form_id: string;
      host_url: string | null;
      /** Format: date-time */
      expires_at: string;
    };
    SourceIpsDto: {
      items: string[];
    };
    EventDto: {
      /** @enum {string} */
      event: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      form_id: string;
      submission_id: string;
      idempotency_key: string | null;
      event_id: string;
      /** Format: date-time */
      accepted_at: string;
      /** @enum {string} */
      outcome: 'waiting' | 'not_registered' | 'no_endpoints' | 'fanned_out';
      key_reused: boolean;
    };
    EventListDto: {
      items: components['schemas']['EventDto'][];
      next_cursor: string | null;
    };
    SendEventsDto: {
      event_ids: string[];
    };
    MadeDeliveryDto: {
      event_id: string;
      endpoint_id: string;
      delivery_id: string;
    };
    SkippedEventDto: {
      event_id: string;
      /** @enum {string} */
      reason: 'unknown' | 'payload_erased' | 'no_endpoints' | 'sent_before';
    };
    SentEventsDto: {
      deliveries: components['schemas']['MadeDeliveryDto'][];
      skipped: components['schemas']['SkippedEventDto'][];
    };
    DeliveryDto: {
      delivery_id: string;
      event_id: string;
      /** @enum {string} */
      event: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      form_id: string;
      submission_id: string;
      endpoint_id: string;
      /** @enum {string} */
      state: 'pending' | 'retrying' | 'cancelled' | 'failed' | 'delivered';
      /** @enum {string|null} */
      reason:
        | 'gone'
        | 'redirect'
        | 'rejected'
        | 'exhausted'
        | 'expired'
        | 'not_https'
        | 'payload_missing'
        | 'endpoint_disabled'
        | 'endpoint_deleted'
        | 'form_deleted'
        | 'submission_erased'
        | 'discarded'
        | 'cancelled_by_owner'
        | null;
      generation: number;
      attempt_count: number;
      /** Format: date-time */
      accepted_at: string;
      /** Format: date-time */
      next_attempt_at: string | null;
      /** Format: date-time */
      completed_at: string | null;
      /** @enum {string|null} */
      waits_for: 'form_unknown' | 'no_slot' | 'rate_limit' | 'secret_unreadable' | 'not_registered' | 'paused' | null;
      /** @enum {string} */
      trigger: 'event' | 'test' | 'replay';
      last_response_status: number | null;
      last_error: string | null;
    };
    FoundEventDto: {
      /** @enum {string} */
      event: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      form_id: string;
      submission_id: string;
      idempotency_key: string | null;
      event_id: string;
      /** Format: date-time */
      accepted_at: string | null;
      /** @enum {string} */
      outcome: 'waiting' | 'not_registered' | 'no_endpoints' | 'fanned_out';
      summary: string;
      deliveries: components['schemas']['DeliveryDto'][];
    };
    FoundParkedDto: {
      queue: string;
      reason: string;
      message_id: string | null;
      event_id: string | null;
      delivery_id: string | null;
      /** Format: date-time */
      parked_at: string | null;
      /** Format: date-time */
      sent_at: string | null;
      sent_by: string | null;
    };
    WaitingQueueDto: {
      queue: string;
      messages: number;
    };
    BrokerFindingsDto: {
      parked: components['schemas']['FoundParkedDto'][];
      parked_not_searched: number;
      waiting: components['schemas']['WaitingQueueDto'][];
    };
    EventSearchDto: {
      summary: string;
      events: components['schemas']['FoundEventDto'][];
      broker: components['schemas']['BrokerFindingsDto'] | null;
    };
    DeliveryListDto: {
      items: components['schemas']['DeliveryDto'][];
      next_cursor: string | null;
    };
    DeliveryTotalDto: {
      total: number | null;
      /** @enum {string} */
      precision: 'exact' | 'approximate' | 'at_least' | 'unknown';
    };
    AttemptTimingsDto: {
      dns_ms: number | null;
      connect_ms: number | null;
      tls_ms: number | null;
      first_byte_ms: number | null;
    };
    AttemptRequestDto: {
      /** @enum {string} */
      method: 'POST';
      url: string;
      headers: {
        [key: string]: string;
      };
      body: string | null;
      curl: string | null;
    };
    AttemptResponseDto: {
      status: number;
      headers: {
        [key: string]: string;
      };
      excerpt: string | null;
      excerpt_base64: string | null;
      truncated: boolean;
    };
    AttemptErrorDto: {
      code: string;
      message: string;
    };
    AttemptDto: {
      id: string;
      number: number;
      generation: number;
      /** Format: date-time */
      started_at: string;
      duration_ms: number;
      timings: components['schemas']['AttemptTimingsDto'] | null;
      request: components['schemas']['AttemptRequestDto'];
      response: components['schemas']['AttemptResponseDto'] | null;
      error: components['schemas']['AttemptErrorDto'] | null;
      remote_address: string | null;
      resent: boolean;
      /** @enum {string} */
      outcome: 'delivered' | 'retry' | 'failed';
    };
    DeliveryDetailDto: {
      delivery_id: string;
      event_id: string;
      /** @enum {string} */
      event: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      form_id: string;
      submission_id: string;
      endpoint_id: string;
      /** @enum {string} */
      state: 'pending' | 'retrying' | 'cancelled' | 'failed' | 'delivered';
      /** @enum {string|null} */
      reason:
        | 'gone'
        | 'redirect'
        | 'rejected'
        | 'exhausted'
        | 'expired'
        | 'not_https'
        | 'payload_missing'
        | 'endpoint_disabled'
        | 'endpoint_deleted'
        | 'form_deleted'
        | 'submission_erased'
        | 'discarded'
        | 'cancelled_by_owner'
        | null;
      generation: number;
      attempt_count: number;
      /** Format: date-time */
      accepted_at: string;
      /** Format: date-time */
      next_attempt_at: string | null;
      /** Format: date-time */
      completed_at: string | null;
      /** @enum {string|null} */
      waits_for: 'form_unknown' | 'no_slot' | 'rate_limit' | 'secret_unreadable' | 'not_registered' | 'paused' | null;
      /** @enum {string} */
      trigger: 'event' | 'test' | 'replay';
      last_response_status: number | null;
      last_error: string | null;
      payload: string | null;
      attempts: components['schemas']['AttemptDto'][];
    };
    AcceptedDeliveryDto: {
      delivery_id: string;
    };
    ReplayFilterDto: {
      /** @enum {string} */
      event?: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
      submission_id?: string;
      /** Format: date-time */
      from?: string;
      /** Format: date-time */
      to?: string;
      endpoint_id?: string;
      text?: string;
      response_status?: number;
      /** @enum {string} */
      response_class?: '2xx' | '3xx' | '4xx' | '5xx';
      /** @enum {string} */
      error?:
        | 'invalid_url'
        | 'not_https'
        | 'address_not_allowed'
        | 'dns'
        | 'connect'
        | 'reset'
        | 'tls'
        | 'tls_expired'
        | 'tls_name_mismatch'
        | 'tls_untrusted'
        | 'tls_protocol'
        | 'timeout'
        | 'protocol'
        | 'header_overflow'
        | 'interim_flood'
        | 'unexpected_upgrade'
        | 'aborted';
      min_attempts?: number;
      /** @enum {string} */
      state: 'failed' | 'cancelled' | 'delivered';
      reason?: (
        | 'gone'
        | 'redirect'
        | 'rejected'
        | 'exhausted'
        | 'expired'
        | 'not_https'
        | 'payload_missing'
        | 'endpoint_disabled'
        | 'endpoint_deleted'
        | 'form_deleted'
        | 'submission_erased'
        | 'discarded'
        | 'cancelled_by_owner'
      )[];
      trigger?: ('event' | 'test' | 'replay')[];
    };
    CreateReplayDto: {
      filter?: components['schemas']['ReplayFilterDto'];
      delivery_ids?: string[];
    };
    ReplayPreviewDto: {
      matched: number;
    };
    ReplayDto: {
      id: string;
      form_id: string;
      filter: components['schemas']['ReplayFilterDto'] | null;
      /** @enum {string} */
      state: 'running' | 'done' | 'cancelled';
      matched: number;
      replayed: number;
      skipped: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      finished_at: string | null;
    };
    ReplayListDto: {
      items: components['schemas']['ReplayDto'][];
      next_cursor: string | null;
    };
    StateCountsDto: {
      pending: number;
      retrying: number;
      cancelled: number;
      failed: number;
      delivered: number;
    };
    FailureCountDto: {
      /** @enum {string} */
      cause:
        | '3xx'
        | '4xx'
        | '5xx'
        | 'invalid_url'
        | 'not_https'
        | 'address_not_allowed'
        | 'dns'
        | 'connect'
        | 'reset'
        | 'tls'
        | 'tls_expired'
        | 'tls_name_mismatch'
        | 'tls_untrusted'
        | 'tls_protocol'
        | 'timeout'
        | 'protocol'
        | 'header_overflow'
        | 'interim_flood'
        | 'unexpected_upgrade'
        | 'aborted';
      attempts: number;
    };
    LatencyDto: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
    StatsPointDto: {
      /** Format: date-time */
      at: string;
      counts: components['schemas']['StateCountsDto'];
      attempts: number;
      failures: components['schemas']['FailureCountDto'][];
      latency_ms: components['schemas']['LatencyDto'];
    };
    EndpointStatsDto: {
      endpoint_id: string;
      counts: components['schemas']['StateCountsDto'];
      /** Format: double */
      success_rate: number | null;
      attempts: number;
      failures: components['schemas']['FailureCountDto'][];
      latency_ms: components['schemas']['LatencyDto'];
      series: components['schemas']['StatsPointDto'][];
    };
    StatsDto: {
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      to: string;
      /** @enum {string} */
      step: '1h' | '6h' | '1d';
      timezone: string | null;
      endpoints: components['schemas']['EndpointStatsDto'][];
    };
    EndpointHealthDto: {
      endpoint_id: string;
      /** Format: date-time */
      last_attempt_at: string | null;
      /** @enum {string|null} */
      last_outcome: 'delivered' | 'retry' | 'failed' | null;
      last_response_status: number | null;
      last_error: string | null;
      /** Format: date-time */
      failing_since: string | null;
      consecutive_failures: number;
      /** Format: double */
      success_rate: number | null;
      attempts: number;
      latency_ms: components['schemas']['LatencyDto'];
      waiting: number;
      /** Format: date-time */
      next_attempt_at: string | null;
    };
    EndpointHealthListDto: {
      items: components['schemas']['EndpointHealthDto'][];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  list_endpoints: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  create_endpoint: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateEndpointDto'];
      };
    };
    responses: {
      201: {
        headers: {
          'X-Request-Id'?: string;
          ETag?: string;
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointWithSecretDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_endpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  delete_endpoint: {
    parameters: {
      query?: never;
      header?: {
        'if-match'?: string;
      };
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      412: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  update_endpoint: {
    parameters: {
      query?: never;
      header?: {
        'if-match'?: string;
        'idempotency-key'?: string;
      };
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateEndpointDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      412: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_secret_state: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SecretStateDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  prepare_secret: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotatedSecretDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  regenerate_secret: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegenerateSecretDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotatedSecretDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  set_secret_overlap: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        endpoint_id: string;
        secret_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SecretOverlapDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SecretStateDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  send_test: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        endpoint_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TestSendDto'];
      };
    };
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AcceptedTestDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_me: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MeDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_forms: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        text?: string;
        workspace_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FormListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_form: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FormDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  register_form: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterFormDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FormDto'];
        };
      };
      201: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FormDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  remove_form: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_api_keys: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        kind?: 'workspace' | 'service';
        workspace_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  create_api_key: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateApiKeyDto'];
      };
    };
    responses: {
      201: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKeyDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  revoke_api_key: {
    parameters: {
      query?: {
        kind?: 'workspace' | 'service';
        workspace_id?: string;
      };
      header?: never;
      path: {
        key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_audit_entries: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        form_id?: string;
        actor?: string;
        action?: string;
        from?: string;
        to?: string;
        workspace_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  create_dashboard_code: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDashboardCodeDto'];
      };
    };
    responses: {
      201: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DashboardCodeDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_dashboard_session: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DashboardSessionDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  begin_dashboard_session: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExchangeDashboardCodeDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DashboardSessionDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  end_dashboard_session: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_source_ips: {
    parameters: {
      query?: {
        workspace_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceIpsDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_events: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        event?: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
        submission_id?: string;
        from?: string;
        to?: string;
        outcome?: 'waiting' | 'not_registered' | 'no_endpoints' | 'fanned_out';
        event_id?: string;
        idempotency_key?: string;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  send_events: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendEventsDto'];
      };
    };
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SentEventsDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  find_event: {
    parameters: {
      query: {
        id: string;
        workspace_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventSearchDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_deliveries: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
        event?: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
        submission_id?: string;
        from?: string;
        to?: string;
        endpoint_id?: string;
        state?: ('pending' | 'retrying' | 'cancelled' | 'failed' | 'delivered')[];
        reason?: (
          | 'gone'
          | 'redirect'
          | 'rejected'
          | 'exhausted'
          | 'expired'
          | 'not_https'
          | 'payload_missing'
          | 'endpoint_disabled'
          | 'endpoint_deleted'
          | 'form_deleted'
          | 'submission_erased'
          | 'discarded'
          | 'cancelled_by_owner'
        )[];
        trigger?: ('event' | 'test' | 'replay')[];
        text?: string;
        delivery_id?: string;
        response_status?: number;
        response_class?: '2xx' | '3xx' | '4xx' | '5xx';
        error?:
          | 'invalid_url'
          | 'not_https'
          | 'address_not_allowed'
          | 'dns'
          | 'connect'
          | 'reset'
          | 'tls'
          | 'tls_expired'
          | 'tls_name_mismatch'
          | 'tls_untrusted'
          | 'tls_protocol'
          | 'timeout'
          | 'protocol'
          | 'header_overflow'
          | 'interim_flood'
          | 'unexpected_upgrade'
          | 'aborted';
        min_attempts?: number;
        order?: 'desc' | 'asc';
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  count_deliveries: {
    parameters: {
      query?: {
        event?: 'submission.created' | 'payment.succeeded' | 'draft.resumed';
        submission_id?: string;
        from?: string;
        to?: string;
        endpoint_id?: string;
        state?: ('pending' | 'retrying' | 'cancelled' | 'failed' | 'delivered')[];
        reason?: (
          | 'gone'
          | 'redirect'
          | 'rejected'
          | 'exhausted'
          | 'expired'
          | 'not_https'
          | 'payload_missing'
          | 'endpoint_disabled'
          | 'endpoint_deleted'
          | 'form_deleted'
          | 'submission_erased'
          | 'discarded'
          | 'cancelled_by_owner'
        )[];
        trigger?: ('event' | 'test' | 'replay')[];
        text?: string;
        delivery_id?: string;
        response_status?: number;
        response_class?: '2xx' | '3xx' | '4xx' | '5xx';
        error?:
          | 'invalid_url'
          | 'not_https'
          | 'address_not_allowed'
          | 'dns'
          | 'connect'
          | 'reset'
          | 'tls'
          | 'tls_expired'
          | 'tls_name_mismatch'
          | 'tls_untrusted'
          | 'tls_protocol'
          | 'timeout'
          | 'protocol'
          | 'header_overflow'
          | 'interim_flood'
          | 'unexpected_upgrade'
          | 'aborted';
        min_attempts?: number;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryTotalDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_delivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        delivery_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryDetailDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_attempt: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        delivery_id: string;
        attempt_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AttemptDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  replay_delivery: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        delivery_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AcceptedDeliveryDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  retry_delivery: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        delivery_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AcceptedDeliveryDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  cancel_delivery: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        delivery_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveryDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  preview_replay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReplayDto'];
      };
    };
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayPreviewDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_replays: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  create_replay: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReplayDto'];
      };
    };
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      409: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_replay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replay_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  cancel_replay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replay_id: string;
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  get_stats: {
    parameters: {
      query?: {
        from?: string;
        to?: string;
        step?: '1h' | '6h' | '1d';
        timezone?: string;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StatsDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  list_endpoint_health: {
    parameters: {
      query?: {
        endpoint_id?: string;
      };
      header?: never;
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndpointHealthListDto'];
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  erase_submission: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        form_id: string;
        submission_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      204: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      413: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      415: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
  watch_form: {
    parameters: {
      query?: never;
      header?: {
        'last-event-id'?: string;
      };
      path: {
        form_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      400: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      401: {
        headers: {
          'X-Request-Id'?: string;
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      403: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      404: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      422: {
        headers: {
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      429: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
      503: {
        headers: {
          'X-Request-Id'?: string;
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['ProblemDto'];
        };
      };
    };
  };
}
