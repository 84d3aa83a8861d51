import { randomUUID } from 'node:crypto';
import { epochSeconds } from '../../model/clock.ts';
import { emailFault } from '../../model/zones/email.ts';
import { firstSerial, nextSerial } from '../../model/zones/serial.ts';
import type { Zone, ZoneDraft } from '../../model/zones/zone.ts';

/** A zone whose pool is still to be chosen. */
export type Unplaced = Omit<Zone, 'pool'>;

/** What follows from whether the zone has masters. */
function ofType({ masters }: ZoneDraft): Pick<Zone, 'type' | 'masters' | 'isAwaited'> {
  if (masters === undefined) return { type: 'PRIMARY', masters: [], isAwaited: false };
  return { type: 'SECONDARY', masters, isAwaited: true };
}

/** The master's is not known yet. */
function mailboxUntilTransfer(name: string): string {
  const email = `hostmaster@${name.slice(0, -1)}`;
  return emailFault(email) === undefined ? email : 'hostmaster@invalid';
}

/** Where, when and after which serial a zone begins. */
interface Beginning {
  readonly projectId: string;
  readonly createdAt: string;
  /** The serial that its own comes after, if there is one. */
  readonly after: number | undefined;
}

/** A zone as its creator asks for it. */
export function newZone(
  { defaultTtl }: { readonly defaultTtl: number },
  draft: ZoneDraft,
  { projectId, createdAt, after }: Beginning,
): Unplaced {
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
    attributes: draft.attributes ?? {},
    version: 1,
    recordsets: 0,
    records: 0,
    bytes: 0,
    told: '',
    createdAt,
    updatedAt: null,
    transferredAt: null,
    shared: false,
  };
}
