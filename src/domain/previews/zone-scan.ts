import { formsOf } from '../../model/blacklists/name-index.ts';
import { AT_THE_START, type PreviewProgress, type PreviewZone } from '../../model/previews/preview.ts';
import type { ExistingZone } from '../../model/previews/store.ts';
import type { Store } from '../../model/store.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type NameScanner, SCANNED } from '../blacklists/name-scanner.ts';

/**
 * Zones that are read and compared at a time: so few that nobody notices the work in between. What is found has to be
 * written, too, so where much is found there are fewer of them.
 */
const FEWEST = 500;
const MOST = 2000;

export interface ZoneScanDeps {
  readonly store: Pick<Store, 'previews'>;
  readonly scanner: NameScanner;
}

/** Which zones are compared with which pattern. */
export interface ZoneScan {
  readonly pattern: string;
  /** Only zones that were created by then. */
  readonly createdBy: string;
  readonly onBehalfOf: string;
  readonly signal: AbortSignal;
}

export const NOTHING_SEEN: PreviewProgress = {
  position: AT_THE_START,
  seen: 0,
  matched: 0,
  undecided: 0,
  kept: 0,
};

/** What a step has brought. */
export interface ScanStep {
  readonly progress: PreviewProgress;
  readonly found: readonly PreviewZone[];
}

/** A conversion of a Unicode name takes long enough for others to have their turn in between. */
async function formsOfAll(zones: readonly ExistingZone[]): Promise<(readonly string[])[]> {
  const turns = new TimeSlices();
  const forms: (readonly string[])[] = [];
  for (const { name } of zones) {
    forms.push(formsOf(name));
    if (turns.isOver) await turns.next();
  }
  return forms;
}

function foundAmong(zones: readonly ExistingZone[], verdicts: Uint8Array): PreviewZone[] {
  return zones.flatMap(({ id, name, projectId }, at) =>
    verdicts[at] === SCANNED.miss
      ? []
      : [{ id, name, projectId, isUndecided: verdicts[at] === SCANNED.undecided }],
  );
}

function nextSize(size: number, found: number): number {
  return found > size / 4 ? FEWEST : Math.min(MOST, size * 2);
}

/**
 * Compares a pattern with the existing zones, a few at a time, in the order of their creation; none of them is kept.
 * @param from how far it was before
 * @throws the reason of the signal
 */
export async function* scanZones(
  { store, scanner }: ZoneScanDeps,
  { pattern, createdBy, onBehalfOf, signal }: ZoneScan,
  from: PreviewProgress = NOTHING_SEEN,
): AsyncGenerator<ScanStep, void> {
  let progress = from;
  for (let size = FEWEST; ; ) {
    signal.throwIfAborted();
    const read = await store.previews.existing(progress.position, createdBy, size, onBehalfOf);
    if (read.length === 0) return;
    const verdicts = await scanner.scan(pattern, await formsOfAll(read), onBehalfOf, signal);
    const zones = read.slice(0, verdicts.length);
    const { createdAt, id } = zones.at(-1)!;
    const found = foundAmong(zones, verdicts);
    const undecided = found.filter(({ isUndecided }) => isUndecided).length;
    progress = {
      ...progress,
      position: { createdAt, id },
      seen: progress.seen + zones.length,
      matched: progress.matched + found.length - undecided,
      undecided: progress.undecided + undecided,
    };
    yield { progress, found };
    size = zones.length < read.length ? FEWEST : nextSize(size, found.length);
  }
}
