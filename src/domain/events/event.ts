import type { Act } from '../acts/act.ts';
import type { Blacklist } from '../blacklists/blacklist.ts';
import type { DomainError } from '../errors.ts';
import type { Limits, QuotaChanges } from '../quotas/quota.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferRequest } from '../transfers/transfer.ts';
import type { AppliedChange } from '../zones/zone-change.ts';

/** The things whose creation is an event. */
type Subject = EventType extends infer T ? (T extends `${infer S}.created` ? S : never) : never;

/** What an event is about. What is not known yet, such as the id of a zone that was refused, is left out. */
export interface Target {
  readonly kind: 'operation' | 'project' | 'transfer request' | Subject;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly projectId?: string | undefined;
}

interface Refused {
  readonly error: DomainError;
}

/** The events of a thing that is created, changed and deleted as a whole. */
type ChangesOf<Noun extends string, Thing> = {
  readonly [T in `${Noun}.created`]: { readonly after: Thing };
} & {
  readonly [T in `${Noun}.changed`]: { readonly before: Thing; readonly after: Thing };
} & {
  readonly [T in `${Noun}.deleted`]: { readonly before: Thing };
};

/** What each type of event tells beside its actor and its target. Nothing of it is a secret. */
export interface EventData extends ChangesOf<'blacklist', Blacklist> {
  /** One import; `present` patterns were there already. */
  'blacklists.imported': { readonly added: number; readonly present: number };
  'quotas.changed': { readonly changes: QuotaChanges; readonly after: Limits };
  'quotas.reset': { readonly after: Limits };
  'token.created': { readonly after: Omit<ApiToken, 'hash'> };
  'token.revoked': Readonly<Record<never, never>>;
  'zone.created': AppliedChange;
  /** The zone was created although its name matches the blacklist of this id. */
  'zone.created_blacklisted': AppliedChange & { readonly blacklistId: string };
  'zone.changed': AppliedChange;
  'zone.deleted': AppliedChange;
  'zone.transferred': AppliedChange & { readonly request: Omit<TransferRequest, 'key'> };
  'zone.repaired': AppliedChange;
  'recordset.created': AppliedChange;
  'recordset.changed': AppliedChange;
  'recordset.deleted': AppliedChange;
  'refused.blacklist': Refused;
  'refused.undecided': Refused;
  'refused.quota': Refused;
  'refused.ownership': Refused;
  'refused.transfer_key': Refused;
  'refused.policy': Refused;
}

export type EventType = keyof EventData;

/** One thing that has happened, as the use case tells it. */
export type Happening = {
  [T in EventType]: { readonly type: T; readonly target: Target } & EventData[T];
}[EventType];

/** A change that is committed, or a refusal, with who acted and when. */
export type Event = Happening & {
  readonly id: string;
  readonly time: string;
  readonly act: Act;
};

/** Takes events as they happen. It neither throws nor waits. */
export type Sink = (event: Event) => void;
