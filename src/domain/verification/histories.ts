/** Verifies the journal of zone changes: each entry, how they join, and that they lead to what the zones have now. */
import { DOORS } from '../../model/history/change-source.ts';
import { effectsIn } from '../../model/history/effects-text.ts';
import { changesAsText, type RecordsetEffect } from '../../model/history/past-change.ts';
import { type Finding, faultsOf, type StoredCheck } from '../../model/verification/stored.ts';
import type {
  HistoryVerificationReads,
  StoredChange,
  StoredHistory,
  StoredHistorySize,
} from '../../model/verification/stored-history.ts';
import { Replay } from './history-replay.ts';
import { paged } from './pages.ts';
import { wellFormedId, wellFormedTimes } from './rules.ts';

type Tell = (findings: readonly Finding[]) => Promise<void>;

/** Recordsets of a zone that are compared in one pass over its changes. */
const OF_A_PASS = 50_000;

/** The effects cannot be read. */
const UNREADABLE = 'What it did cannot be read.';

function kindOf({ before, after }: RecordsetEffect): keyof PastCounts {
  if (before === undefined) return 'create';
  return after === undefined ? 'delete' : 'update';
}

/** Counts the effects of a change. @returns undefined if they cannot be read */
function countedEffects({ effects, change }: StoredChange): PastCounts | undefined {
  const counts = { create: 0, update: 0, delete: 0 };
  try {
    for (const effect of effectsIn(effects ?? '', change.zoneId)) counts[kindOf(effect)] += 1;
    return counts;
  } catch {
    return undefined;
  }
}

type JournalledZone = NonNullable<StoredHistory['zone']>;
type Facts = Pick<JournalledZone, 'ttl' | 'email' | 'projectId'>;
type PastCounts = StoredChange['change']['summary'];

const CHANGE_CHECKS: readonly StoredCheck<StoredChange>[] = [
  ({ change }) => wellFormedId(change),
  ({ change: { at } }) => wellFormedTimes({ createdAt: at, updatedAt: null }),
  ({ change: { door } }) => (DOORS.includes(door) ? undefined : `The door ${door} is unknown.`),
  ({ readable }) => (readable ? undefined : 'Its actor or the properties of the zone cannot be read.'),
  ({ size, counted }) => (size === counted ? undefined : `Its size is ${size}; it should be ${counted}.`),
  (stored) => {
    if (stored.effects === null) return undefined;
    const counted = countedEffects(stored);
    if (counted === undefined) return UNREADABLE;
    const [says, are] = [changesAsText(stored.change.summary), changesAsText(counted)];
    return says === are ? undefined : `It says ${says}; there are ${are}.`;
  },
];

/** How a change and the next one do not join; undefined if they do, or if there is a gap between them. */
function joinFault({ change, readable, effects }: StoredChange, next: StoredChange): string | undefined {
  const { number, toSerial, after } = change;
  const { number: nextNumber, fromSerial, before } = next.change;
  // A repair keeps the version of the zone.
  if (number === nextNumber && (effects === null || next.effects === null)) return undefined;
  if (number >= nextNumber) return `Its version is ${number}, but the next one has ${nextNumber}.`;
  const isGap = number < nextNumber - 1 || next.effects === null;
  if (isGap || !readable || !next.readable) return undefined;
  if (toSerial !== fromSerial)
    return `It leads to the serial ${toSerial}, but the next one starts at ${fromSerial}.`;
  return haveSameFacts(after, before) ? undefined : 'It and the next one do not agree about the zone.';
}

function haveSameFacts(one: Facts, other: Facts): boolean {
  return one.ttl === other.ttl && one.email === other.email && one.projectId === other.projectId;
}

/** How the last change does not lead to the zone as it is. A repair of the zone marks a gap. */
function endFindings({ change, readable }: StoredChange, zone: JournalledZone): readonly Finding[] {
  const { id, zoneId, number, toSerial, after } = change;
  if (number > zone.version) {
    const fault = `Its version is ${number}, but the zone has ${zone.version}.`;
    return [{ about: 'change', id, fault }];
  }
  const isSame = toSerial === zone.serial && haveSameFacts(after, zone);
  if (number < zone.version || !readable || isSame) return [];
  const fault = 'Its history leads to another serial, TTL, address or owner than it has.';
  return [{ about: 'zone', id: zoneId, name: zone.name, fault, isCounter: true }];
}

function changeFindings(stored: StoredChange, next: StoredChange | undefined): readonly Finding[] {
  const join = next && joinFault(stored, next);
  const faults = [...faultsOf(stored, CHANGE_CHECKS), ...(join === undefined ? [] : [join])];
  return faults.map((fault) => ({ about: 'change', id: stored.change.id, fault }));
}

function sizeFinding({ id, bytes, counted }: StoredHistorySize): readonly Finding[] {
  if (bytes === counted) return [];
  const fault = `The counter says ${bytes} bytes of changes; there are ${counted}.`;
  return [{ about: 'history', id, fault, isCounter: true }];
}

/** @returns the number of changes */
export async function verifyHistories(reads: HistoryVerificationReads, tell: Tell): Promise<number> {
  async function* changesOf(zoneId: string): AsyncGenerator<StoredChange, void> {
    for (let below: string | undefined; ; ) {
      const { items, more } = await reads.changesOf(zoneId, below);
      yield* items;
      if (!more) return;
      below = items.at(-1)!.change.id;
    }
  }

  /** Verifies each change of a zone. */
  async function verifyChanges({ zoneId, zone }: StoredHistory): Promise<number> {
    let next: StoredChange | undefined;
    let changes = 0;
    for await (const stored of changesOf(zoneId)) {
      if (next === undefined && zone !== undefined) await tell(endFindings(stored, zone));
      await tell(changeFindings(stored, next));
      next = stored;
      changes += 1;
    }
    return changes;
  }

  /** Takes the changes back, newest first, up to the first gap: each must find recordsets as it left them. */
  async function replay(history: StoredHistory, zone: JournalledZone): Promise<void> {
    const passes = Math.max(1, Math.ceil(history.effects / OF_A_PASS));
    for (let pass = 0; pass < passes; pass++) {
      const replayed = new Replay({ id: history.zoneId, name: zone.name }, (key) => key % passes === pass);
      let number = zone.version;
      for await (const stored of changesOf(history.zoneId)) {
        if (stored.change.number !== number || !replayed.takeBack(stored)) break;
        number -= 1;
      }
      await tell(await replayed.findings(reads));
    }
  }

  let changes = 0;
  for await (const history of paged(reads.histories)) {
    const { zoneId: id, zone, isDeleted } = history;
    const fault = 'Its zone does not exist.';
    if (zone === undefined && !isDeleted)
      await tell([{ about: 'history', id: `zone ${id}`, fault, isCounter: true }]);
    changes += await verifyChanges(history);
    // The recordsets of a deleted zone are gone, though its servers may still have to drop it.
    if (zone !== undefined && !isDeleted) await replay(history, zone);
  }
  for await (const size of paged(reads.historySizes)) await tell(sizeFinding(size));
  return changes;
}
