/** Tries random sets of changes until a number of them has been made or refused. */
import { Random } from '../../test/support/random.ts';
import { LoneZone, noCounts, type SetCounts } from './alone.ts';
import { CrowdedZone } from './together.ts';
import type { Ask } from './zone.ts';

export interface SetsOrder {
  /** Those of the clients: each a project of its own. */
  readonly asks: readonly Ask[];
  readonly count: number;
  readonly seed: number;
  /** Called now and then. */
  tell?(counts: SetCounts): void;
}

/** Share of sets that meet those of other clients. */
const CROWDED = 0.25;

function sumOf(all: readonly SetCounts[]): SetCounts {
  const total = noCounts();
  for (const counts of all)
    for (const key of Object.keys(total) as (keyof SetCounts)[]) total[key] += counts[key];
  return total;
}

/** @throws Violation */
export async function trySets({ asks, count, seed, tell }: SetsOrder): Promise<SetCounts> {
  const crowded = await CrowdedZone.create(asks[0]!, new Random(seed), `crowded-${seed}`, asks.length);
  const lone = await Promise.all(
    asks.map((ask, place) =>
      LoneZone.create(ask, new Random(seed * 1000 + place + 1), `lone-${seed}-${place}`),
    ),
  );
  const counts = () => sumOf([crowded, ...lone].map((zone) => zone.counts));
  const work = async (isDone: () => boolean, step: () => Promise<void>) => {
    while (!isDone()) {
      await step();
      tell?.(counts());
    }
  };
  const rest = count * (1 - CROWDED);
  let left = rest;
  await Promise.all([
    work(
      () => crowded.counts.sets >= count - rest,
      () => crowded.round(),
    ),
    ...lone.map((zone) =>
      work(
        () => left <= 0,
        () => {
          left -= 1;
          return zone.trySet();
        },
      ),
    ),
  ]);
  return counts();
}
