import { randomUUID } from 'node:crypto';
import { epochSeconds } from '../../model/clock.ts';
import { emailFault } from '../../model/zones/email.ts';
import { firstSerial, nextSerial } from '../../model/zones/serial.ts';
import type { Zone, ZoneDraft } from '../../model/zones/zone.ts';

/** A zone without a pool yet. */
export type ZoneWithoutPool = Omit<Zone, 'pool'>;

/** The properties that depend on whether the zone has masters. */
function ofType({ masters }: ZoneDraft): Pick<Zone, 'type' | 'masters' | 'isAwaited'> {
  if (masters === undefined) return { type: 'PRIMARY', masters: [], isAwaited: false };
  return { type: 'SECONDARY', masters, isAwaited: true };
}

/** A placeholder until the first transfer, which brings the master's mailbox. */
function mailboxUntilTransfer(name: string): string {
  const email = `hostmaster@${name.slice(0, -1)}`;
  return emailFault(email) === undefined ? email : 'hostmaster@invalid';
}

/** The owner, creation time and previous serial of a new zone. */
interface ZoneStart {
  readonly projectId: string;
  readonly createdAt: string;
  /** The serial that the new one must follow, if any. */
  readonly after: number | undefined;
}

/** A new zone from its create request. */
export function newZone(
  { defaultTtl }: { readonly defaultTtl: number },
  draft: ZoneDraft,
  { projectId, createdAt, after }: ZoneStart,
): ZoneWithoutPool {
  const seconds = epochSeconds(createdAt);
  return {
    id: randomUUID(),
    name: draft.name,
    projectId,
    movesTo: null,
    ...ofType(draft),
    email: draft.email ?? mailboxUntilTransfer(draft.name),
    ttl: draft.ttl ?? defaultTtl,
    soa: draft.soa ?? null,
    serial: after === undefined ? firstSerial(seconds) : nextSerial(after, seconds),
    status: 'ACTIVE',
    action: 'NONE',
    description: draft.description ?? null,
    protection: draft.protection ?? null,
    attributes: draft.attributes ?? {},
    version: 1,
    recordsets: 0,
    records: 0,
    bytes: 0,
    guardrails: null,
    notified: '',
    createdAt,
    updatedAt: null,
    transferredAt: null,
    shared: false,
  };
}
