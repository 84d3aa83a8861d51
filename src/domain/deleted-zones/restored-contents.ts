/** The recordsets of a deleted zone, read in a stream. */
import type { OwnerName } from '../../dns/names.ts';
import type { ContentChange, Contents } from '../../model/changes/contents.ts';
import { ContentsHead, NO_CONTENTS } from '../../model/changes/contents.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { KeptDeletedZone } from '../../model/deleted-zones/deleted-zone.ts';
import type { DeletedContents } from '../../model/deleted-zones/store.ts';
import { DomainError } from '../../model/errors.ts';
import { effectsIn } from '../../model/history/effects-text.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { ManyNames, type ManyNamesDeps } from '../blacklists/many-names.ts';
import type { InitialContents } from '../zones/zone-create-request.ts';

/** What comes back of a deleted zone. */
export interface Restoration {
  readonly kept: KeptDeletedZone;
  /** What has expired by then stays away. */
  readonly at: string;
}

/** The recordsets as they were. */
async function* storedRecordsets(
  reads: DeletedContents,
  { id, contentsId, projectId }: KeptDeletedZone,
): AsyncGenerator<Recordset, void> {
  const turns = new TimeSlices(projectId);
  for await (const part of reads.contents(contentsId, projectId)) {
    for (const { before } of effectsIn(part, id)) {
      yield before!;
      if (turns.isOver) await turns.next();
    }
  }
}

const hasExpired = ({ expiresAt }: Recordset, at: string): boolean => expiresAt != null && expiresAt <= at;

async function* lastingRecordsets(
  reads: DeletedContents,
  { kept, at }: Restoration,
): AsyncGenerator<Recordset, void> {
  for await (const recordset of storedRecordsets(reads, kept))
    if (!hasExpired(recordset, at)) yield recordset;
}

export interface RestoredContents {
  /** Reads the contents again for the zone, which has them at once: nothing if its masters send it. */
  of(zone: Zone, reads: DeletedContents): Contents;
  /** What has expired. */
  readonly expired: readonly Recordset[];
}

/** Reads the contents once to sum them up. */
export async function restoredContents(
  reads: DeletedContents,
  restoration: Restoration,
): Promise<RestoredContents> {
  if (restoration.kept.type === 'SECONDARY') return { of: () => NO_CONTENTS, expired: [] };
  const head = new ContentsHead();
  const expired: Recordset[] = [];
  for await (const recordset of storedRecordsets(reads, restoration.kept)) {
    if (hasExpired(recordset, restoration.at)) expired.push(recordset);
    else head.add({ kind: 'added', recordset });
  }
  const { growth, largest } = head;
  return {
    of({ projectId }, reads) {
      async function* parts(): AsyncGenerator<ContentChange, void> {
        for await (const recordset of lastingRecordsets(reads, restoration))
          yield { kind: 'added', recordset: { ...recordset, projectId } };
      }
      return { growth, largest, parts: parts(), steps: true };
    },
    expired,
  };
}

async function namesOf(reads: DeletedContents, restoration: Restoration): Promise<readonly OwnerName[]> {
  const names = new Set<OwnerName>();
  for await (const { name } of lastingRecordsets(reads, restoration))
    if (name !== restoration.kept.name) names.add(name);
  return [...names];
}

/** Names the recordset that is refused. */
function withName(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { kind, message, details } = error;
  const { recordset } = details;
  if (typeof recordset !== 'string') return error;
  const faults = [{ path: ['recordsets', recordset], message }];
  return new DomainError(kind, `${recordset}: ${message}`, { faults, details, cause: error });
}

/** The check of the names of recordsets against the blacklists, if it is on. */
export function namesAdmission(
  { store, ownerNames }: { readonly store: Store; readonly ownerNames: ManyNamesDeps | undefined },
  restoration: Restoration,
): Pick<InitialContents, 'admit'> {
  if (ownerNames === undefined || restoration.kept.type === 'SECONDARY') return {};
  let names: Promise<ManyNames> | undefined;
  const read = async (): Promise<ManyNames> => {
    const all = await namesOf(store.deletedZones, restoration);
    return new ManyNames(ownerNames, { each: () => all.keys(), name: (one) => all[one]!, lines: () => [] });
  };
  return {
    async admit(context: RequestContext) {
      names ??= read();
      try {
        return await (await names).admit(context);
      } catch (error) {
        throw withName(error);
      }
    },
  };
}
