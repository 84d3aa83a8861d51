/** Writes each change of a zone into the journal, which the history and IXFR read. */

import type {
  AppliedChange,
  AppliedRemoval,
  AppliedTransfer,
  AppliedUpdate,
  RestoredState,
} from '../../model/changes/zone-change.ts';
import type { WrittenChange, ZoneFacts } from '../../model/history/past-change.ts';
import type { PublicationSettings } from '../../model/publication/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import { mayHaveOrders, type Zone } from '../../model/zones/zone.ts';
import type { EffectsCollector } from './content-writing.ts';
import { Difference, EffectsJournal } from './journal.ts';

export interface HistorySettings {
  /** How long changes are kept; 0 to keep only what IXFR needs. */
  readonly days: number;
  /** Bounds on the changes kept of a zone, and of all zones of a project. */
  readonly maxBytesPerZone: number;
  readonly maxBytesPerProject: number;
}

export interface JournalSettings {
  readonly history: HistorySettings;
  readonly publication: PublicationSettings;
}

/** A change that the journal has: any but the creation of an empty zone that is not restored, and a removal. */
type JournalledChange = Exclude<AppliedChange, AppliedRemoval>;
/** The rdata of the SOA before and after a change. */
type BothSoa = readonly [before: string, after: string];

/** Effects take more room than the difference that they make: both states of a recordset. */
const EFFECTS_OF_A_DIFFERENCE = 4;

function isJournalled(change: AppliedChange): change is JournalledChange {
  const { kind, contents } = change;
  if (kind === 'creation') return contents.growth.recordsets > 0 || change.restored !== undefined;
  return kind !== 'deletion' && kind !== 'abandonment';
}

/** True if a change alters what name servers serve. */
export function isPublished(change: AppliedChange): change is AppliedUpdate | AppliedTransfer {
  const { kind } = change;
  if (kind !== 'update' && kind !== 'move' && kind !== 'transfer') return false;
  const { before, after } = change;
  return !before.isAwaited && mayHaveOrders(after) && after.serial !== before.serial;
}

function factsOf({ ttl, email, projectId }: Zone, soa: string): ZoneFacts {
  return { ttl, email, projectId, soa };
}

/** The serial before a change; null for a new zone. The history of a restored zone goes on from its last one. */
function fromSerialOf(change: JournalledChange): number | null {
  return change.kind === 'creation' ? (change.restored?.serial ?? null) : change.before.serial;
}

function writtenOf(
  change: JournalledChange,
  [soaBefore, soaAfter]: BothSoa,
): Omit<WrittenChange, 'summary' | 'effects' | 'isKept' | 'differenceBytes'> {
  const { changeId, by, before, after } = change;
  const { id: zoneId, projectId, version: number, serial: toSerial } = after;
  const fromSerial = fromSerialOf(change);
  const states = { before: factsOf(before ?? after, soaBefore), after: factsOf(after, soaAfter) };
  const at = after.updatedAt ?? after.createdAt;
  return { id: changeId, zoneId, projectId, number, fromSerial, toSerial, at, ...by, ...states };
}

/** Collects one change, and writes it. */
class ChangeJournal {
  readonly #change: JournalledChange;
  readonly #settings: JournalSettings;
  readonly #effects: EffectsJournal;
  readonly #difference: Difference | undefined;

  constructor(change: JournalledChange, settings: JournalSettings) {
    this.#change = change;
    this.#settings = settings;
    const { history, publication } = settings;
    const least = EFFECTS_OF_A_DIFFERENCE * publication.journal.bytes;
    this.#effects = new EffectsJournal(this.#hasEffects() ? Math.max(history.maxBytesPerZone, least) : 0);
    this.#difference = isPublished(change) ? new Difference(change, publication.journal.bytes) : undefined;
  }

  get collectors(): readonly EffectsCollector[] {
    // A restored zone is as it was when it was deleted, but for what `addRestored` adds.
    if (this.#change.kind === 'creation' && this.#change.restored !== undefined) return [];
    return this.#difference === undefined ? [this.#effects] : [this.#effects, this.#difference];
  }

  /** Adds what a restored zone has no longer, and what has become of its apex: its pool may have other name servers now. */
  addRestored({ apex, expired }: RestoredState, [, ns]: readonly [soa: Recordset, ns: Recordset]): void {
    if (apex !== undefined && ns.version !== apex.ns.version)
      this.#effects.add({ before: apex.ns, after: ns });
    for (const before of expired) this.#effects.add({ before, after: undefined });
  }

  /** @param isStored whether the SOA before the change is stored, as it is if the change is published */
  write(tx: Transaction, soa: BothSoa, isStored: boolean): void {
    const effects = this.#hasEffects() ? this.#effects.effects() : null;
    const bytes = this.#order(tx, isStored ? soa : undefined);
    const { history, publication } = this.#settings;
    const isKept = history.days > 0;
    const differenceBytes = effects === null ? 0 : bytes;
    if (!isKept && differenceBytes === 0) return;
    const { summary } = this.#effects;
    const written = { summary, effects, isKept, differenceBytes, ...writtenOf(this.#change, soa) };
    tx.history.append(written, publication.journal);
  }

  /** False of a secondary zone, whose past is its master's, and after a repair. */
  #hasEffects(): boolean {
    return this.#change.after.type !== 'SECONDARY' && this.#change.kind !== 'correction';
  }

  /**
   * Orders the publication of the change.
   * @returns the size of the difference for IXFR; 0 if IXFR cannot serve it
   */
  #order(tx: Transaction, soa: BothSoa | undefined): number {
    if (this.#difference === undefined) return 0;
    const { after } = this.#change;
    const bytes = soa === undefined ? 0 : this.#difference.bytes(soa);
    tx.publications.order(after, bytes);
    const entry = after.type === 'SECONDARY' && soa !== undefined ? this.#difference.entry(soa) : undefined;
    if (entry !== undefined) tx.publications.keepDifference(after, entry, this.#settings.publication.journal);
    return bytes;
  }
}

/** Collects a change for the journal; undefined if it does not belong there. */
export function journalFor(change: AppliedChange, settings: JournalSettings): ChangeJournal | undefined {
  return isJournalled(change) ? new ChangeJournal(change, settings) : undefined;
}
