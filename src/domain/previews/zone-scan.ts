import { formsOf } from '../../model/blacklists/name-index.ts';
import { AT_THE_START, type PreviewProgress, type PreviewZone } from '../../model/previews/preview.ts';
import type { ExistingZone } from '../../model/previews/store.ts';
import type { Store } from '../../model/store.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type NameScanner, SCANNED } from '../blacklists/name-scanner.ts';

/**
 * Number of zones that are read and compared in one step: so few that requests do not notice. Matches have to be written, too, so
 * a step with many matches has fewer zones.
 */
const FEWEST = 500;
const MAX_ZONES = 2000;

export interface ZoneScanDeps {
  readonly store: Pick<Store, 'previews'>;
  readonly scanner: NameScanner;
}

/** The pattern of a scan, and the zones it is compared with. */
export interface ZoneScan {
  readonly pattern: string;
  /** Only zones created up to this time. */
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

/** The result of a step. */
export interface ScanStep {
  readonly progress: PreviewProgress;
  readonly found: readonly PreviewZone[];
}

/** The conversion of a Unicode name takes long enough to yield in between. */
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
  return found > size / 4 ? FEWEST : Math.min(MAX_ZONES, size * 2);
}

/**
 * Compares a pattern with the existing zones in order of creation, a few at a time. It keeps none of them.
 * @param from the progress of an earlier scan
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
