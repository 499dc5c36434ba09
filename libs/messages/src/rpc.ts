import type { ErrorCode, EventName } from '@form-webhooks/domain';

/** The calls that config answers on `config.rpc`, by method name. */
export interface ConfigCalls {
  form_endpoints: { request: FormEndpointsRequest; reply: FormEndpointsReply };
  api_key: { request: ApiKeyRequest; reply: ApiKeyReply };
  deleted_endpoint: { request: DeletedEndpointRequest; reply: DeletedEndpointReply };
  erased_submission: { request: ErasedSubmissionRequest; reply: ErasedSubmissionReply };
  known_deliveries: { request: KnownDeliveriesRequest; reply: KnownDeliveriesReply };
}

/** The calls that a dispatcher answers on `dispatcher.rpc`, by method name. */
export interface DispatcherCalls {
  check_url: { request: CheckUrlRequest; reply: CheckUrlReply };
}

export interface FormEndpointsRequest {
  readonly form_id: string;
}

/** Everything a dispatcher needs to fan out and to attempt; secrets and values of headers only sealed (`KeyRing`). */
export interface FormEndpointsReply {
  /** False for a form that was never registered or was deleted. */
  readonly registered: boolean;
  readonly deleted: boolean;
  readonly workspace_id: string | null;
  /** True if an operator holds back the deliveries of this form, or all; else absent. */
  readonly paused?: boolean;
  readonly endpoints: readonly EndpointSnapshot[];
  /** The form's submissions erased last; bounded, so that a form with very many fits a message and a cache. */
  readonly erased_submissions: readonly string[];
  /**
   * 0 if every erasure is listed, null if there were more than can be: of other submissions ask `erased_submission`. A
   * config of an earlier release lists those since this moment, ms since the epoch, and can't tell of deliveries whose
   * generation began before it.
   */
  readonly erasures_listed_since: number | null;
  /** Config's clock, ms since the epoch, to compare one's own with. */
  readonly now: number;
  /** Of `KeyRing.vouch` over `formEndpointsText`: who answers without the key ring can't send deliveries elsewhere. */
  readonly voucher: string;
}

/** Asks about one submission what a list of erasures is too short to tell. */
export interface ErasedSubmissionRequest {
  readonly form_id: string;
  readonly submission_id: string;
}

export interface ErasedSubmissionReply {
  readonly erased: boolean;
}

/** Asks whether an endpoint that its form's list lacks was deleted. */
export interface DeletedEndpointRequest {
  readonly form_id: string;
  readonly endpoint_id: string;
}

export interface DeletedEndpointReply {
  /** False if this database has never had the endpoint: it may be a restored or another one. */
  readonly deleted: boolean;
}

/** Deliveries that one call asks about at most. */
export const MAX_DELIVERIES_ASKED = 500;

/** Asks what the log knows of deliveries, so that none that has ended begins again. */
export interface KnownDeliveriesRequest {
  readonly deliveries: readonly { readonly delivery_id: string; readonly accepted_at: number }[];
}

/** Those that the log holds; of the others it knows nothing, or not yet. */
export interface KnownDeliveriesReply {
  readonly known: readonly KnownDelivery[];
}

export interface KnownDelivery {
  readonly delivery_id: string;
  readonly generation: number;
  /** Its next or last try, from 0; absent from a config of before. */
  readonly try?: number;
  /** How often this try was put off; absent from a config of before. */
  readonly deferrals?: number;
  /** Whether this generation is delivered, failed or cancelled. */
  readonly is_final: boolean;
}

export interface EndpointSnapshot {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly events: readonly EventName[];
  /** Grows with every change of the endpoint. */
  readonly version: number;
  /** The signing secret first, then those that are still valid during an overlap. */
  readonly secrets: readonly SealedSecret[];
  /** What its requests carry besides our own headers; null or absent if nothing. */
  readonly headers?: readonly SealedHeader[] | null;
  /** Statuses of 4xx after which it is tried again; null or absent for those of the installation. */
  readonly retry_statuses?: readonly number[] | null;
  /** True if a 3xx counts as received; else null or absent. */
  readonly redirect_is_success?: boolean | null;
  /** Its own delays between attempts, ms; null or absent for those of the installation. */
  readonly retry_schedule?: readonly number[] | null;
  /** Attempts a second at most, from all dispatchers together; null or absent for any number. */
  readonly rate_limit?: number | null;
  /** True if an operator holds back what goes to it; else null or absent. */
  readonly paused?: boolean | null;
}

/** A header that the endpoint's owner had added: its name in lower case, its value sealed (`KeyRing`). */
export interface SealedHeader {
  readonly name: string;
  readonly sealed: string;
}

export interface SealedSecret {
  readonly id: string;
  readonly sealed: string;
  /** When the secret stops signing, ms since the epoch; null for the current one. */
  readonly expires_at: number | null;
}

/** Asks about an API key by the id in it and the SHA-256 (hex) of the whole key; the key itself never travels. */
export interface ApiKeyRequest {
  readonly key_id: string;
  readonly key_hash: string;
}

export interface ApiKeyReply {
  readonly valid: boolean;
  readonly scopes: readonly string[];
  /** ms since the epoch, or null for a key without end. */
  readonly expires_at: number | null;
  /** Config's clock, ms since the epoch, to compare one's own with; absent in answers of the version before. */
  readonly now?: number;
}

export interface CheckUrlRequest {
  readonly url: string;
}

/** `status` is that of the receiver's answer to one unsigned HEAD; any but 3xx proves that it responds. */
export type CheckUrlReply =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly code: ErrorCode | 'redirect'; readonly message: string };
