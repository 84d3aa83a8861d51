import type { PatternTraits } from '../../src/matcher/index/traits.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { quantile, table } from '../../test/support/figures.ts';
import { memory, micros, now, timed } from './clock.ts';
import { entryAt, hittingNames, type Mix, missingNames, traitsAt } from './corpus.ts';

const ROUNDS = 15;
const NAMES = 8000;

/** One of two indexes of the same patterns, and what was measured of it. */
interface Side {
  readonly title: string;
  readonly index: LocalIndex;
  readonly seconds: number;
  readonly bytes: number;
  readonly misses: number[];
  readonly hits: number[];
}

function sideOf(
  title: string,
  mix: Mix,
  size: number,
  traits: (i: number) => PatternTraits | undefined,
): Side {
  const empty = memory();
  let sources: string[] = Array.from({ length: size }, (_, i) =>
    Buffer.from(entryAt(mix, i + 1).source).toString(),
  );
  const index = new LocalIndex();
  const begin = now();
  for (let i = 0; i < size; i++) index.add(i + 1, sources[i]!, traits(i + 1));
  const seconds = (now() - begin) / 1e9;
  sources = [];
  return { title, index, seconds, bytes: (memory() - empty) / size, misses: [], hits: [] };
}

/** The median, and the median of the ratios round by round. */
function cell(values: readonly number[], floor: readonly number[]): string[] {
  const ratios = values.map((value, round) => value / floor[round]!);
  return [micros(quantile([...values], 0.5)), `${quantile(ratios, 0.5).toFixed(2)}×`];
}

function measured(mix: Mix, size: number): string[][] {
  const refusing = sideOf('all refuse', mix, size, () => undefined);
  const mixed = sideOf('half noted, a tenth conditional', mix, size, traitsAt);
  for (let round = 0; round < ROUNDS + 3; round++) {
    const misses = missingNames(NAMES, size + round).map((name) => [name]);
    const hits = hittingNames(mix, size, NAMES, size + 100 + round).map((name) => [name]);
    // Who goes first changes; the first rounds warm up.
    for (const side of round % 2 === 0 ? [refusing, mixed] : [mixed, refusing]) {
      const miss = timed(misses, (forms) => side.index.check(forms)).p50;
      const hit = timed(hits, (forms) => side.index.check(forms)).p50;
      if (round < 3) continue;
      side.misses.push(miss);
      side.hits.push(hit);
    }
  }
  return [refusing, mixed].map((side) => [
    size.toLocaleString('en-US'),
    side.title,
    side.seconds.toFixed(2),
    size < 100_000 ? '–' : side.bytes.toFixed(0),
    ...cell(side.misses, refusing.misses),
    ...cell(side.hits, refusing.hits),
  ]);
}

/** The same patterns, all of which refuse, beside a mix of those that refuse, may refuse, and are only noted: in turns. */
export function ways(mix: Mix, title: string, sizes: readonly number[]): void {
  console.log(`## ${title}: those that refuse, and a mix, in turns\n`);
  const rows = sizes.flatMap((size) => measured(mix, size));
  table(['patterns', 'entries', 'build, s', 'bytes a pattern', 'miss', 'ratio', 'hit', 'ratio'], rows);
}
