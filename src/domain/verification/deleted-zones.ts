/** Verifies that deleted zones can be restored as they were. */
import { effectsIn } from '../../model/history/effects-text.ts';
import type { Finding, StoredDeletedZone, VerificationReads } from '../../model/verification/stored.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import { paged } from './pages.ts';

type DeletedReads = Pick<VerificationReads, 'deletedZones' | 'deletedContents'>;

const UNREADABLE = 'Its recordsets cannot be read.';

function countIn(part: string, zoneId: string): number | undefined {
  try {
    return [...effectsIn(part, zoneId)].filter(({ before }) => before !== undefined).length;
  } catch {
    return undefined;
  }
}

/** The number of recordsets that are stored; undefined if they cannot be read. */
async function countOf(
  { id, contentsId }: StoredDeletedZone,
  reads: DeletedReads,
): Promise<number | undefined> {
  let total = 0;
  for await (const part of reads.deletedContents(contentsId)) {
    const count = countIn(part, id);
    if (count === undefined) return undefined;
    total += count;
    await cooperativeYield();
  }
  return total;
}

async function faultOf(stored: StoredDeletedZone, reads: DeletedReads): Promise<string | undefined> {
  if (stored.kept === undefined) return 'What a restore needs cannot be read.';
  const counted = await countOf(stored, reads);
  if (counted === undefined) return UNREADABLE;
  const { recordsets } = stored.kept.totals;
  return counted === recordsets ? undefined : `It had ${recordsets} recordsets; ${counted} are stored.`;
}

export async function verifyDeletedZones(
  reads: DeletedReads,
  report: (finding: Finding) => Promise<void>,
): Promise<void> {
  for await (const stored of paged(reads.deletedZones)) {
    const { id, name } = stored;
    const fault = await faultOf(stored, reads);
    if (fault !== undefined) await report({ about: 'deleted zone', id, name, fault });
  }
}
