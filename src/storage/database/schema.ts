import type { Generated } from 'kysely';
import type { StoredType } from '../../dns/record-types.ts';
import type { ServiceName, ServiceStatus } from '../../model/service-statuses/service-status.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import type { TransferStatus } from '../../model/transfers/transfer.ts';
import type { ZoneAction, ZoneStatus, ZoneType } from '../../model/zones/zone.ts';
import type { BlacklistSchema } from './blacklist-schema.ts';
import type { DeletedZoneSchema } from './deleted-zone-schema.ts';
import type { EventSchema } from './event-schema.ts';
import type { GuardrailSchema } from './guardrail-schema.ts';
import type { HistorySchema } from './history-schema.ts';
import type { PreviewSchema } from './preview-schema.ts';
import type { PublicationSchema } from './publication-schema.ts';
import type { TokenSchema } from './token-schema.ts';
import type { UsageSchema } from './usage-schema.ts';

/** Delivery progress of each webhook. */
interface WebhookSchema {
  /** See `WebhookState`. */
  webhooks: {
    name: string;
    position: number;
    stopped: number;
    failing_since: string;
    last_error: string;
    last_error_at: string;
    delivered_at: string;
    skip_to: number;
  };
}

/**
 * The tables of both databases, except those of the resources that register themselves (`../resources.ts`). Times are
 * the 26 characters of the interface, or '' for "never", which sorts first in both; ids are text; booleans are 0 and 1.
 */
export interface Schema
  extends BlacklistSchema,
    DeletedZoneSchema,
    EventSchema,
    GuardrailSchema,
    HistorySchema,
    PreviewSchema,
    PublicationSchema,
    TokenSchema,
    UsageSchema,
    WebhookSchema {
  /** One row. A program that knows versions up to N accepts any schema whose `oldest_reader` is at most N. */
  schema_version: { version: number; oldest_reader: number };
  /** One row for each project that ever had a zone or its own limits. Changes to a project lock its row. */
  projects: {
    project_id: string;
    zones: number;
    recordsets: number;
    quota_zones: number | null;
    quota_zone_recordsets: number | null;
    quota_zone_records: number | null;
    quota_recordset_records: number | null;
    quota_api_export_size: number | null;
    /** See `Told`. */
    told_zones: Generated<number>;
    told_zones_limit: Generated<number>;
  };
  zones: {
    id: string;
    name: string;
    /** The labels from the root down, so that all names below a zone form one range. */
    subtree_key: string;
    project_id: string;
    email: string;
    ttl: number;
    /** A JSON object, see `SoaTimers`; null for the timers in the options. */
    soa: string | null;
    serial: number;
    type: ZoneType;
    status: ZoneStatus;
    action: ZoneAction;
    description: string | null;
    protected: Generated<number>;
    /** Null unless it is protected. */
    protection_reason: string | null;
    attributes: string;
    version: number;
    recordsets: number;
    records: number;
    /** Size of the names and records, in bytes. */
    bytes: number;
    created_at: string;
    updated_at: string;
    transferred_at: string;
    pool_id: string;
    /** See `Zone.told`. */
    told: Generated<string>;
    /** A JSON object, see `OwnModes`; null for the defaults. */
    guardrails: string | null;
  };
  recordsets: {
    id: string;
    zone_id: string;
    project_id: string;
    name: string;
    subtree_key: string;
    type: StoredType;
    ttl: number | null;
    records: string;
    /**
     * A JSON object that maps a record's text to the spelling in which it was sent, where that differs; null if none
     * does.
     */
    spellings: string | null;
    /** What it adds to the size of its zone, in bytes; 0 if it is managed. */
    bytes: number;
    description: string | null;
    protected: Generated<number>;
    /** Null unless it is protected. */
    protection_reason: string | null;
    /** When it is deleted; null for never. */
    expires_at: string | null;
    managed: number;
    version: number;
    created_at: string;
    updated_at: string;
    /** The serial of the zone at its last change. */
    serial: number;
  };
  /** The projects that may see another project's zone, and write their own recordsets in it. */
  zone_shares: {
    id: string;
    zone_id: string;
    /** The owner of the zone. */
    project_id: string;
    target_project_id: string;
    /** Number of the target's recordsets in the zone. */
    recordsets: number;
    created_at: string;
    updated_at: string;
    /** JSON of what it narrows; '' for nothing. */
    scope: string;
  };
  /** The state of each secondary zone's masters. */
  secondaries: {
    zone_id: string;
    /** The zone's project. */
    project_id: string;
    /** A list. */
    masters: string;
    /** When the masters are queried next; '' for never. */
    due_at: string;
    /** Until then a process is querying the masters; '' if none is. */
    leased_until: string;
    asked_at: string;
    contact_at: string;
    expires_at: string;
    fault: string;
    /** Seconds. */
    retry: number;
    attempts: number;
    wants_whole: number;
    transferred: number;
    expired: number;
  };
  /** Imports and exports. */
  zone_tasks: {
    id: string;
    kind: ZoneTask['kind'];
    project_id: string;
    zone_id: string;
    status: ZoneTask['status'];
    message: string | null;
    version: number;
    created_at: string;
    updated_at: string;
  };
  zone_transfer_requests: {
    id: string;
    zone_id: string;
    zone_name: string;
    project_id: string;
    target_project_id: string | null;
    description: string | null;
    key: string;
    status: TransferStatus;
    wrong_keys: number;
    created_at: string;
    updated_at: string;
  };
  zone_transfer_accepts: {
    id: string;
    zone_transfer_request_id: string;
    zone_id: string;
    project_id: string;
    key: string;
    /** Always COMPLETE. */
    status: string;
    created_at: string;
    /** Always ''. */
    updated_at: string;
  };
  /** The stored responses to creates with an Idempotency-Key. */
  idempotency_keys: {
    /** SHA-256, hexadecimal, of caller, request and key. */
    key: string;
    /** SHA-256, hexadecimal. */
    body_hash: string;
    /** 0 until the creating transaction has its response. */
    status: number;
    headers: string;
    body: string;
    created_at: string;
    /** The project acted for; '' in rows of a program version without limits. */
    project_id: string;
    /** Counts the responses ever stored for the project; 0 until there is one. */
    number: number;
    /** Total bytes of the project's responses with a smaller number. */
    bytes_before: number;
    /** The resource to respond with, if its representation was too large to store; '' if `body` is complete. */
    resource_id: string;
  };
  /** The components of processes. */
  service_statuses: {
    id: string;
    service_name: ServiceName;
    hostname: string;
    /** The status that the process last reported. */
    status: ServiceStatus['status'];
    stats: string;
    capabilities: string;
    heartbeated_at: string;
    created_at: string;
    updated_at: string;
  };
  /** One row for each project that ever used an Idempotency-Key. Each create with a key locks it. */
  idempotency_projects: {
    project_id: string;
    /** The number of its newest response. */
    last_number: number;
    /** Total bytes of all its responses, ever. */
    bytes: number;
  };
}
