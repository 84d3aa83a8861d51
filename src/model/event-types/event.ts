import type { Blacklist, Terms } from '../blacklists/blacklist.ts';
import type { NonEnforcingMatches } from '../blacklists/noted.ts';
import type { Revision } from '../blacklists/store.ts';
import type { EffectSummary } from '../changes/change-set.ts';
import type {
  AppliedCreation,
  AppliedRemoval,
  AppliedTransfer,
  AppliedUpdate,
} from '../changes/zone-change.ts';
import type { ResourceEventData } from '../combined-resources.ts';
import type { RequestContext } from '../context/request-context.ts';
import type { DeletedZone } from '../deleted-zones/deleted-zone.ts';
import type { DomainError } from '../errors.ts';
import type { Stamp } from '../events/stamp.ts';
import type { GuardrailModes, GuardrailOutcome } from '../guardrails/guardrail.ts';
import type { Pool } from '../pools/pool.ts';
import type { Limits, QuotaChanges } from '../quotas/quota.ts';
import type { QuotaAlert } from '../quotas/quota-thresholds.ts';
import type { Share } from '../shares/share.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferRequest } from '../transfers/transfer.ts';
import type { TsigKeyWithoutSecret } from '../tsig-keys/tsig-key.ts';
import type { Skipped } from '../webhooks/webhook.ts';
import type { AllowedNames } from './noted-contents.ts';

/** Resources whose creation is an event. */
type CreatedResource = EventType extends infer T ? (T extends `${infer S}.created` ? S : never) : never;

/** The target of an event. Unknown properties, such as the id of a refused zone, are absent. */
export interface Target {
  readonly kind:
    | 'operation'
    | 'project'
    | 'transfer request'
    | 'import'
    | 'webhook'
    | Exclude<CreatedResource, 'transfer_request'>;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
}

interface WithError {
  readonly error: DomainError;
}

/** The events of a resource that is created, changed and deleted as a whole. */
type ChangesOf<Noun extends string, Thing> = {
  readonly [T in `${Noun}.created`]: { readonly after: Thing };
} & {
  readonly [T in `${Noun}.changed`]: { readonly before: Thing; readonly after: Thing };
} & {
  readonly [T in `${Noun}.deleted`]: { readonly before: Thing };
};

interface ListImported {
  readonly added: number;
  readonly present: number;
  /** Null if no list was named. */
  readonly list: string | null;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** The revision of the blacklists after the import. */
  readonly revision: Revision;
}

/** Changes of several recordsets that were made together. */
interface RecordsetsChanged {
  readonly change: {
    readonly id: string;
    readonly door: string;
    readonly summary: EffectSummary;
    readonly description: string | null;
  };
  readonly allowed: AllowedNames;
}

/** The data of each type of event besides its actor and target. It contains no secrets. */
export interface EventData
  extends ResourceEventData,
    ChangesOf<'blacklist', Blacklist>,
    ChangesOf<'pool', Pool>,
    ChangesOf<'transfer_request', Omit<TransferRequest, 'key'>>,
    ChangesOf<'tsigkey', TsigKeyWithoutSecret> {
  /** The entry no longer applies to creates, unless it gets another expiry. */
  'blacklist.expired': { readonly after: Blacklist };
  /** One import; `present` patterns already existed. */
  'blacklists.imported': ListImported;
  /**
   * A list was made to match its file: `removed` entries were deleted, and the list no longer holds `released` entries.
   */
  'blacklists.synced': ListImported & { readonly removed: number; readonly released: number };
  /** The terms of a list's entries were changed. */
  'blacklists.list_changed': {
    readonly list: string;
    readonly terms: Partial<Terms>;
    readonly changed: number;
    readonly revision: Revision;
  };
  'blacklists.list_removed': {
    readonly list: string;
    readonly removed: number;
    readonly released: number;
    readonly revision: Revision;
  };
  /** A wrong counter was corrected. */
  'blacklists.list_repaired': { readonly list: string };
  'quotas.changed': { readonly changes: QuotaChanges; readonly before: Limits; readonly after: Limits };
  'quotas.reset': { readonly before: Limits; readonly after: Limits };
  /** Usage reached 80 % of its limit. */
  'quota.near': { readonly approach: Omit<QuotaAlert, 'type'> };
  /** Usage reached its limit. */
  'quota.reached': { readonly approach: Omit<QuotaAlert, 'type'> };
  'share.created': { readonly after: Share };
  'share.deleted': { readonly before: Share };
  /** A wrong counter was corrected. */
  'share.repaired': Readonly<Record<never, never>>;
  'project.repaired': Readonly<Record<never, never>>;
  'import.deleted': { readonly before: ZoneTask };
  'export.created': { readonly after: ZoneTask };
  'export.deleted': { readonly before: ZoneTask };
  'token.created': { readonly after: Omit<ApiToken, 'hash'> };
  'token.revoked': Readonly<Record<never, never>>;
  /** The endpoint failed for too long, or declined further events: nothing is sent after this position. */
  'webhook.stopped': { readonly position: number; readonly reason: string };
  'webhook.resumed': Readonly<Record<never, never>>;
  /** An operator skipped events that the endpoint did not accept, and resumed delivery. */
  'webhook.skipped': Skipped;
  /** A webhook that is no longer configured was forgotten. Delivery had reached this position. */
  'webhook.forgotten': { readonly position: number };
  'zone.created': AppliedCreation;
  /** The zone was created although its name matches the blacklist with this id. */
  'zone.created_blacklisted': AppliedCreation & { readonly blacklistId: string };
  /** The name matches blacklists that do not block it. */
  'zone.created_noted': AppliedCreation & { readonly noted: NonEnforcingMatches };
  'zone.changed': AppliedUpdate;
  /** The modes in force before and after. */
  'zone.guardrails_changed': { readonly before: GuardrailModes; readonly after: GuardrailModes };
  'zone.deleted': AppliedRemoval;
  /** A deleted zone was created again, with its contents. */
  'zone.restored': AppliedCreation & { readonly allowed: AllowedNames };
  /** A deleted zone was given up by a request. */
  'zone.forgotten': { readonly before: DeletedZone };
  /** The zone was deleted here but left on its name servers. */
  'zone.abandoned': AppliedRemoval;
  /** The zone starts to move from its pool to another one. */
  'zone.pool_move_started': { readonly from: string; readonly to: string };
  'zone.transferred': AppliedUpdate & { readonly request: Omit<TransferRequest, 'key'> };
  /** A secondary zone took the contents of a master. */
  'zone.received': AppliedTransfer;
  /** The zone has a new label in the catalog: name servers fetch it again, and those that sign lose its keys. */
  'zone.relabelled': Readonly<Record<never, never>>;
  /** A secondary zone is no longer served, until a master can be reached. */
  'zone.expired': Readonly<Record<never, never>>;
  'zone.repaired': AppliedUpdate;
  'recordset.created': AppliedUpdate & Partial<GuardrailOutcome>;
  /** Its name matches the blacklist with this id. */
  'recordset.created_blacklisted': AppliedUpdate &
    Partial<GuardrailOutcome> & { readonly blacklistId: string };
  /** Its name matches blacklists that do not block it. */
  'recordset.created_noted': AppliedUpdate &
    Partial<GuardrailOutcome> & { readonly noted: NonEnforcingMatches };
  'recordset.changed': AppliedUpdate & Partial<GuardrailOutcome>;
  'recordset.deleted': AppliedUpdate & Partial<GuardrailOutcome>;
  /** Several recordsets of a zone were changed together. */
  'recordsets.changed': AppliedUpdate & GuardrailOutcome & RecordsetsChanged;
  'refused.blacklist': WithError;
  'refused.undecided': WithError;
  'refused.tld': WithError;
  'refused.quota': WithError;
  'refused.ownership': WithError;
  'refused.guardrail': WithError;
  'refused.transfer_key': WithError;
  'refused.policy': WithError;
}

export type EventType = keyof EventData;

/** An event as reported by a use case. */
export type EventDraft = {
  [T in EventType]: { readonly type: T; readonly target: Target; readonly stamp?: Stamp } & EventData[T];
}[EventType];

/** A committed change or a refusal, with its actor and time. */
export type Event = EventDraft & {
  readonly id: string;
  readonly time: string;
  readonly context: RequestContext;
};

/** Receives events as they happen. Never throws or waits. */
export type Sink = (event: Event) => void;
