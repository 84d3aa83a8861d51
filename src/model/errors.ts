import { RESOURCE_ERRORS } from './combined-resources.ts';

/** One fault of a request body: its path, and a sentence that says how to fix it. */
export interface Fault {
  readonly path: readonly (string | number)[];
  /** The type of the refusal that it would be on its own, if the faults of a request have several. */
  readonly type?: string;
  readonly message: string;
}

/**
 * Every refusal in the domain, with its default message. The catalogue is closed: the HTTP layer maps each kind to one
 * status, and docs/errors.md is generated from both.
 */
export const ERROR_CATALOGUE = {
  access_denied: 'Access Denied',
  invalid_object: 'The request body is invalid. "errors" lists every error.',
  invalid_uuid: 'An ID must be a UUID: 8-4-4-4-12 hexadecimal digits.',
  blacklisted_name: 'Blacklisted domain name',
  unchecked_name:
    'The name could not be checked against every blacklist pattern within the step budget, so the zone was not created. Ask an administrator to review the marked patterns.',
  blacklisted_recordset: 'Blacklisted domain name',
  unchecked_recordset:
    'The name could not be checked against every blacklist pattern within the step budget, so the recordset was not created. Ask an administrator to review the marked patterns.',
  invalid_tld: 'Invalid TLD',
  ...RESOURCE_ERRORS,
  blacklist_not_found: 'Blacklist not found',
  duplicate_blacklist: 'Duplicate Blacklist',
  blacklist_list_not_found: 'No list of blacklists has this name.',
  blacklist_import_not_found: 'Could not find BlacklistImport',
  lists_busy: 'Another blacklist import, sync or removal is running. Retry when it has finished.',
  preview_not_found: 'Could not find Preview',
  preview_running: 'Another preview of the project is running. Wait for it to finish, or delete it.',
  zone_not_found: 'Could not find Zone',
  duplicate_zone: 'A zone with this name already exists.',
  illegal_child: 'The name is below a zone of another project. Ask its owner to create the zone.',
  illegal_parent: 'Another project has a zone below this name, so the zone cannot be created.',
  zone_has_sub_zone: 'The zone has zones below it. Delete them first.',
  zone_is_shared:
    'The zone is shared with other projects. Delete the shares first, or send X-Designate-Delete-Shares: true.',
  shared_zone_not_found: 'Could not find SharedZone',
  duplicate_shared_zone: 'The zone is already shared with this project.',
  shared_zone_has_recordsets: 'The other project still has recordsets in the zone. Delete them first.',
  shared_with_owner: 'The zone belongs to this project. Share it with another project.',
  zone_leaving:
    'The zone is being deleted and can no longer be changed: its name servers have not dropped it yet.',
  zone_moving:
    'The zone is being moved to another pool. Wait for the move to finish, or name the previous pool to undo it.',
  zone_move_ending:
    'The zone is being removed from its previous pool. Wait until the servers there have dropped it.',
  same_pool: 'The zone is already in this pool, or being moved to it. Choose another pool.',
  unknown_pool:
    'No pool has the ID in the attribute "pool_id". Use the ID of an existing pool, or omit the attribute.',
  protected: 'The resource is protected. Set "protected": false first, in a request of its own.',
  secondary_zone: 'The zone is secondary: its recordsets come from its masters. Change them there.',
  not_secondary: "Can't XFR a non Secondary zone.",
  change_not_found:
    'The history of the zone does not have this change or state, or does not reach back so far without a gap.',
  recordset_not_found: 'Could not find RecordSet',
  changed_since: 'A recordset has changed since. Nothing was done; revert the later changes first.',
  duplicate_recordset: 'The zone already has a recordset with this name and type. Change that recordset.',
  invalid_recordset_location: 'The recordset is not allowed at this name.',
  managed_recordset:
    'The service manages the SOA and NS records at the apex. They cannot be changed directly.',
  too_many_deletions: 'The change would delete more recordsets than "max_deletions" allows.',
  plan_outdated:
    'The zone has changed, so the change would have other effects than planned. Nothing was changed: review a new dry run.',
  zone_import_not_found: 'Could not find ZoneImport',
  zone_export_not_found: 'Could not find ZoneExport',
  over_quota: 'Quota exceeded.',
  over_rate: 'The credential has made as many changes as its rate allows. Retry later.',
  guardrail: 'A guardrail refuses the change.',
  transfer_request_not_found: 'Could not find ZoneTransferRequest',
  transfer_accept_not_found: 'Could not find ZoneTransferAccept',
  duplicate_transfer_request: 'The zone already has an open transfer request. Delete that request first.',
  invalid_transfer_request: 'The transfer request has already been used.',
  foreign_transfer_request:
    'The transfer request belongs to another project. Only that project can change it.',
  wrong_transfer_key: 'The key does not match the transfer request.',
  tsigkey_not_found: 'Could not find TsigKey',
  duplicate_tsigkey: 'A TSIG key with this name already exists.',
  tsigkey_in_use: 'A pool uses the TSIG key. Assign another key to the pool first.',
  pool_not_found: 'Could not find Pool',
  duplicate_pool: 'A pool with this name already exists.',
  pool_has_zones: 'The pool has zones. Only an empty pool can be deleted.',
  pools_moved: 'The pools have changed meanwhile; nothing was done. Review the differences again.',
  default_pool: 'The default pool cannot be deleted.',
  event_not_found: 'Could not find Event',
  service_status_not_found: 'Could not find ServiceStatus',
  token_not_found: 'Could not find Token',
  scope_too_wide: 'A credential can only create one that can do no more than itself.',
  unknown_project: 'Keystone has no project with this ID.',
  project_needed:
    'The credentials are not scoped to a project. Set X-Auth-Sudo-Project-ID to the project to act for.',
  precondition_failed:
    'The ETag does not match: the resource may have changed since it was read. Read it again and send its current ETag.',
  marker_not_found: 'No entry has the ID in the marker. Start again from the first page.',
  slow_sort_key:
    'Too many entries match to sort them by this key. Use another sort key or a narrower filter.',
  idempotency_key_reused:
    'The Idempotency-Key was already used with a different body. Use a new key for a new request.',
  idempotency_key_running: 'A request with this Idempotency-Key is still running. Retry in a moment.',
  idempotency_answer_gone:
    'A request with this Idempotency-Key created a resource that no longer exists or that you cannot see. Use a new key to create another one.',
  storage_unavailable: 'The storage is unreachable or not writable. Nothing was changed; retry later.',
  identity_unavailable: 'Keystone cannot check the token right now. Retry in a moment.',
  too_many_validations: 'Too many unknown tokens are being checked. Retry in a moment.',
  slow_read:
    'The query took too long and was cancelled. Filter by an exact value, list one zone, use a smaller limit, or hide the counts.',
  too_many_reads: 'Too many slow queries of the project are running. Retry when some have finished.',
} as const satisfies Record<string, string>;

export type ErrorKind = keyof typeof ERROR_CATALOGUE;

/** Kinds that callers see under another name. */
const TYPES = {
  blacklisted_name: 'invalid_zone_name',
  unchecked_name: 'invalid_zone_name',
  blacklisted_recordset: 'invalid_recordset_name',
  unchecked_recordset: 'invalid_recordset_name',
  invalid_tld: 'invalid_zone_name',
  shared_with_owner: 'bad_request',
  zone_leaving: 'bad_request',
  zone_moving: 'bad_request',
  zone_move_ending: 'bad_request',
  same_pool: 'bad_request',
  unknown_pool: 'invalid_object',
  secondary_zone: 'forbidden',
  not_secondary: 'bad_request',
  managed_recordset: 'bad_request',
  transfer_request_not_found: 'zone_transfer_request_not_found',
  transfer_accept_not_found: 'zone_transfer_accept_not_found',
  duplicate_transfer_request: 'duplicate_zone_transfer_request',
  invalid_transfer_request: 'invalid_zone_transfer_request',
  foreign_transfer_request: 'forbidden',
  wrong_transfer_key: 'invalid_key',
  pool_has_zones: 'invalid_operation',
  default_pool: 'invalid_operation',
  over_rate: 'too_many_requests',
  unknown_project: 'invalid_project',
  project_needed: 'bad_request',
  slow_sort_key: 'invalid_sort_key',
  storage_unavailable: 'service_unavailable',
  identity_unavailable: 'service_unavailable',
  too_many_validations: 'service_unavailable',
  slow_read: 'service_unavailable',
  too_many_reads: 'service_unavailable',
} as const satisfies Partial<Record<ErrorKind, string>>;

/** The public name of a kind of refusal: the `type` of a response. */
export function errorType(kind: string): string {
  return (TYPES as Readonly<Record<string, string>>)[kind] ?? kind;
}

/** Details of a refusal besides its kind. */
interface RefusalDetails {
  readonly faults?: readonly Fault[];
  /** Advice to the caller, in addition to the message. */
  readonly hint?: string;
  /** When a repeated request may succeed, in seconds. */
  readonly retryAfter?: number;
  /** For events and the log only; never sent to a caller. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A refusal of a certain kind, thrown anywhere below the edge. When it is thrown, nothing has been changed. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  readonly faults: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, message: string = ERROR_CATALOGUE[kind], particulars: RefusalDetails = {}) {
    super(message, 'cause' in particulars ? { cause: particulars.cause } : undefined);
    this.kind = kind;
    this.faults = particulars.faults ?? [];
    this.details = particulars.details ?? {};
    this.hint = particulars.hint;
    this.retryAfter = particulars.retryAfter;
  }
}

/** The detail `outcome` of a `storage_unavailable` if the change may or may not have been made. */
export const UNKNOWN_OUTCOME = 'unknown';

/** Whether the store itself has failed. */
export function isStorageFailure(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'storage_unavailable';
}

/** The cause of a permanent `storage_unavailable`: damage that was found and logged earlier. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore';
}

/** The refusal of a change that waited too long for its turn. */
export function waitedTooLong(): DomainError {
  return new DomainError(
    'storage_unavailable',
    'The storage is overloaded. Nothing was changed; retry later.',
  );
}

/** Whether the transaction may or may not have been committed. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof DomainError && error.details.outcome === UNKNOWN_OUTCOME;
}

/** The refusal of an invalid body: one combined message and the list of faults. */
export function invalidObject(faults: readonly Fault[]): DomainError {
  const message = faults.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join(' ');
  return new DomainError('invalid_object', message, { faults });
}

/** The refusal of a file because of one line. */
export function lineFault(line: number, reason: string, kind: ErrorKind = 'invalid_object'): DomainError {
  return new DomainError(kind, `Line ${line}: ${reason}`, {
    faults: [{ path: ['line', line], message: reason }],
  });
}
