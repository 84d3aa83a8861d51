import { DomainError, type ErrorKind, errorType, type Fault } from '../../model/errors.ts';
import { scopeChallenge } from './challenges.ts';

/** Errors of the HTTP edge, with their default messages. */
export const EDGE_CATALOGUE = {
  unauthenticated: 'Access Denied',
  invalid_json: 'The body is not valid UTF-8 JSON.',
  empty_request_body: 'The operation needs a JSON body.',
  unsupported_content_type: 'Send the body as application/json, in UTF-8.',
  unsupported_accept: 'The response is application/json; the Accept header must allow it.',
  not_found: 'This path does not exist.',
  method_not_allowed: 'This path does not support the method. The Allow header lists the supported methods.',
  request_too_large: 'The body is larger than the service accepts.',
  header_too_large: 'The request line and headers are larger than the service accepts.',
  bad_request: 'The request is malformed.',
  invalid_limit: 'The parameter limit must be a positive integer or "max".',
  invalid_marker: 'The parameter marker must be the ID of the last entry of the previous page.',
  invalid_sort_key: 'The list cannot be sorted by this key.',
  invalid_sort_dir: 'The parameter sort_dir must be asc or desc.',
  too_many_requests: 'Too many failed authentication attempts from this address. Retry in a second.',
  too_many_bodies: 'Too many request bodies are being read. Retry in a moment.',
  too_many_large_bodies: 'Other large files are being read. Retry in a moment.',
  too_many_large_answers: 'Other exports are being sent. Retry in a moment.',
  too_many_name_checks: 'Other names are being checked for the project. Retry in a moment.',
  no_password_login: 'Keystone is not configured. Log in with an API token.',
  request_timeout: 'The request did not arrive in time.',
  starting: 'The service is starting.',
  store_checking:
    'The database is being checked after an unclean shutdown. Nothing was changed; retry in a moment.',
  store_damaged: 'The database is damaged and now read-only. The operator must restore a backup.',
  unknown: 'Internal error. The log has the reason under the request ID.',
} as const satisfies Record<string, string>;

export type EdgeKind = keyof typeof EDGE_CATALOGUE;

/** An error raised by the HTTP edge. */
export class EdgeError extends Error {
  readonly kind: EdgeKind;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: EdgeKind,
    message: string = EDGE_CATALOGUE[kind],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'EdgeError';
    this.kind = kind;
    this.headers = headers;
  }
}

interface ErrorResponse {
  readonly status: number;
  /** The `type` in the response, if it differs from the kind. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY = { 'retry-after': '1' };

/** Kinds whose name gives the status: 404 for unknown resources, 409 for existing ones. */
type StatusByName = Extract<ErrorKind, `${string}_not_found` | `duplicate_${string}`>;

/** Responses to all other kinds, and to those whose name does not determine the response. */
const ANSWERS: Readonly<
  Record<Exclude<ErrorKind | EdgeKind, StatusByName>, ErrorResponse> &
    Partial<Record<StatusByName, ErrorResponse>>
> = {
  // RFC 6750, section 3.1. The operator chooses the status.
  access_denied: { status: 401, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  invalid_object: { status: 400 },
  invalid_uuid: { status: 400 },
  blacklisted_name: { status: 400 },
  unchecked_name: { status: 400 },
  blacklisted_recordset: { status: 400 },
  unchecked_recordset: { status: 400 },
  invalid_tld: { status: 400 },
  preview_running: { status: 409 },
  illegal_child: { status: 403 },
  illegal_parent: { status: 403 },
  zone_has_sub_zone: { status: 400 },
  zone_is_shared: { status: 400 },
  shared_zone_has_recordsets: { status: 400 },
  shared_with_owner: { status: 400 },
  zone_leaving: { status: 400 },
  zone_moving: { status: 400 },
  zone_move_ending: { status: 400 },
  same_pool: { status: 400 },
  unknown_pool: { status: 400 },
  protected: { status: 409 },
  secondary_zone: { status: 403 },
  not_secondary: { status: 400 },
  invalid_recordset_location: { status: 400 },
  managed_recordset: { status: 400 },
  too_many_deletions: { status: 409 },
  plan_outdated: { status: 409 },
  changed_since: { status: 409 },
  over_quota: { status: 413 },
  over_rate: { status: 429, headers: RETRY },
  guardrail: { status: 409 },
  scope_too_wide: { status: 403 },
  invalid_transfer_request: { status: 400 },
  foreign_transfer_request: { status: 403 },
  wrong_transfer_key: { status: 403 },
  tsigkey_in_use: { status: 409 },
  lists_busy: { status: 409, headers: RETRY },
  pool_has_zones: { status: 400 },
  pools_moved: { status: 409 },
  default_pool: { status: 400 },
  unknown_project: { status: 400 },
  project_needed: { status: 400 },
  precondition_failed: { status: 412 },
  marker_not_found: { status: 400 },
  slow_sort_key: { status: 400 },
  idempotency_key_reused: { status: 422 },
  idempotency_answer_gone: { status: 410 },
  idempotency_key_running: { status: 409, headers: RETRY },
  storage_unavailable: { status: 503, headers: RETRY },
  identity_unavailable: { status: 503, headers: { 'retry-after': '2' } },
  too_many_validations: { status: 503, headers: RETRY },
  // An immediate retry would take just as long.
  slow_read: { status: 503 },
  too_many_reads: { status: 503, headers: RETRY },
  unauthenticated: { status: 401, type: 'access_denied' },
  invalid_json: { status: 400 },
  empty_request_body: { status: 400 },
  unsupported_content_type: { status: 415 },
  unsupported_accept: { status: 406 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  request_too_large: { status: 413 },
  header_too_large: { status: 431 },
  bad_request: { status: 400 },
  invalid_limit: { status: 400 },
  invalid_marker: { status: 400 },
  invalid_sort_key: { status: 400 },
  invalid_sort_dir: { status: 400 },
  too_many_requests: { status: 429, headers: RETRY },
  too_many_bodies: { status: 503, type: 'service_unavailable', headers: RETRY },
  too_many_large_bodies: { status: 503, type: 'service_unavailable', headers: RETRY },
  too_many_large_answers: { status: 503, type: 'service_unavailable', headers: RETRY },
  too_many_name_checks: { status: 503, type: 'service_unavailable', headers: RETRY },
  no_password_login: { status: 404 },
  request_timeout: { status: 408 },
  starting: { status: 503, headers: RETRY },
  store_checking: { status: 503, type: 'storage_unavailable', headers: { 'retry-after': '2' } },
  store_damaged: { status: 503, type: 'storage_unavailable' },
  unknown: { status: 500 },
};

/** The response to a kind of error. */
export function answerTo(kind: ErrorKind | EdgeKind): ErrorResponse & Required<Pick<ErrorResponse, 'type'>> {
  const answer = ANSWERS[kind] ?? { status: kind.startsWith('duplicate_') ? 409 : 404 };
  return { type: errorType(kind), ...answer };
}

/** A refusal in wire format. */
export interface HttpRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly code: number;
    readonly type: string;
    readonly message: string;
    readonly request_id: string;
    readonly hint?: string;
    readonly errors?: { readonly errors: readonly Fault[] };
  };
}

/** Builds the refusal for a kind of error. */
export function refusalOf(
  kind: ErrorKind | EdgeKind,
  message: string,
  requestId: string,
  extra: {
    headers?: Readonly<Record<string, string>>;
    faults?: readonly Fault[];
    status?: number;
    hint?: string | undefined;
  } = {},
): HttpRefusal {
  const answer = answerTo(kind);
  const status = extra.status ?? answer.status;
  const faults = extra.faults ?? [];
  return {
    status,
    headers: {
      ...answer.headers,
      ...extra.headers,
    },
    body: {
      code: status,
      type: answer.type,
      message,
      request_id: requestId,
      ...(extra.hint === undefined ? {} : { hint: extra.hint }),
      ...(faults.length > 0 ? { errors: { errors: faults } } : {}),
    },
  };
}

/** The kind of any thrown value; `unknown` if it is not a refusal. */
export function kindOf(error: unknown): ErrorKind | EdgeKind {
  if (error instanceof DomainError || error instanceof EdgeError) return error.kind;
  return 'unknown';
}

/**
 * The response to any thrown value; `unknown` if it is not a refusal.
 * @param accessDeniedStatus status for an authenticated caller without permission
 */
export function refuse(error: unknown, requestId: string, accessDeniedStatus: number): HttpRefusal {
  if (error instanceof DomainError) {
    const isDenied = error.kind === 'access_denied';
    const headers = {
      ...(isDenied ? { 'www-authenticate': scopeChallenge(error) } : {}),
      ...(error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }),
    };
    const own = isDenied ? { status: accessDeniedStatus } : {};
    return refusalOf(error.kind, error.message, requestId, {
      faults: error.faults,
      hint: error.hint,
      headers,
      ...own,
    });
  }
  if (error instanceof EdgeError) {
    return refusalOf(error.kind, error.message, requestId, { headers: error.headers });
  }
  return refusalOf('unknown', EDGE_CATALOGUE.unknown, requestId);
}

/** Adds Keystone's URL to the RFC 6750 challenge of a 401, so that OpenStack clients know where to get a token. */
export function challenging(refusal: HttpRefusal, keystoneUrl: string | undefined): HttpRefusal {
  if (refusal.status !== 401 || keystoneUrl === undefined) return refusal;
  const challenge = `Keystone uri="${keystoneUrl}", ${refusal.headers['www-authenticate']}`;
  return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': challenge } };
}
