import { RE2JS } from 're2js';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { quantile, table } from '../../test/support/figures.ts';
import { memory, micros, now, timed } from './clock.ts';
import { entryAt, hittingNames, type Mix, missingNames } from './corpus.ts';

const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];
const NAMES = 40_000;

/** The floor: a plain `Map` of the names, asked for every run of whole labels that ends a name. */
export function suffixes(map: ReadonlyMap<string, number>, name: string): number {
  for (let at = 0; at < name.length; at = name.indexOf('.', at) + 1) {
    const found = map.get(at === 0 ? name : name.slice(at));
    if (found !== undefined) return found;
  }
  return 0;
}

function built(mix: Mix, size: number): { index: LocalIndex; seconds: number; bytes: number } {
  const empty = memory();
  let sources: string[] = Array.from({ length: size }, (_, i) =>
    Buffer.from(entryAt(mix, i + 1).source).toString(),
  );
  const index = new LocalIndex();
  const begin = now();
  for (let i = 0; i < size; i++) index.add(i + 1, sources[i]!);
  const seconds = (now() - begin) / 1e9;
  sources = [];
  return { index, seconds, bytes: (memory() - empty) / size };
}

function mapOf(mix: Mix, size: number): Map<string, number> {
  const map = new Map<string, number>();
  for (let i = 1; i <= size; i++) {
    const { name } = entryAt(mix, i);
    if (name !== undefined) map.set(Buffer.from(name).toString(), i);
  }
  return map;
}

/** Adding patterns that are not there yet, and removing them again. */
function changes(index: LocalIndex, mix: Mix, size: number): string[] {
  const more = Array.from({ length: 4000 }, (_, i) => ({ key: size + i + 1, ...entryAt(mix, size + i + 1) }));
  const times = (operation: (entry: (typeof more)[number]) => void) => {
    const samples = more.map((entry) => {
      const begin = now();
      operation(entry);
      return now() - begin;
    });
    return `${micros(quantile(samples, 0.5))} / ${micros(quantile(samples, 0.99))}`;
  };
  return [
    times(({ key, source }) => index.add(key, source)),
    times(({ key, source }) => index.remove(key, source)),
  ];
}

export function scale(mix: Mix, title: string): void {
  console.log(`## ${title}\n`);
  const rows = SIZES.map((size) => {
    const { index, seconds, bytes } = built(mix, size);
    const map = mapOf(mix, size);
    const misses = missingNames(NAMES, size + 1).map((name) => [name]);
    const hits = hittingNames(mix, size, NAMES, size + 2).map((name) => [name]);
    const warm = missingNames(20_000, 3);
    for (const name of warm) index.check([name]);
    for (const name of warm) suffixes(map, name);
    const floorMiss = timed(misses, ([name]) => suffixes(map, name!));
    const miss = timed(misses, (forms) => index.check(forms));
    const floorHit = timed(hits, ([name]) => suffixes(map, name!));
    const hit = timed(hits, (forms) => index.check(forms));
    return [
      size.toLocaleString('en-US'),
      seconds.toFixed(2),
      size < 100_000 ? '–' : bytes.toFixed(0),
      micros(floorMiss.p50),
      micros(miss.p50),
      `${(miss.p50 / floorMiss.p50).toFixed(2)}×`,
      micros(floorHit.p50),
      micros(hit.p50),
      `${(hit.p50 / floorHit.p50).toFixed(2)}×`,
      `${micros(floorMiss.p99)} / ${micros(miss.p99)}`,
      `${micros(floorHit.p99)} / ${micros(hit.p99)}`,
      ...changes(index, mix, size),
    ];
  });
  table(
    [
      'patterns',
      'build, s',
      'bytes a pattern',
      'Map, miss',
      'index, miss',
      'ratio',
      'Map, hit',
      'index, hit',
      'ratio',
    ].concat(['p99 miss, Map / index', 'p99 hit, Map / index', 'add p50 / p99', 'remove p50 / p99']),
    rows,
  );
}

/** The engines that there are, in a loop over the plain mix, as far as they finish in reasonable time. */
export function loops(): void {
  console.log('## A loop over single patterns (half exact, half subtree), µs a check, p50\n');
  const rows = [100, 1000, 10_000].map((size) => {
    const sources = Array.from({ length: size }, (_, i) => entryAt('plain', i + 1).source);
    const names = missingNames(200, size + 5);
    const v8 = sources.map((source) => new RegExp(source, 'i'));
    const re2 = sources.map((source) => RE2JS.compile(source, RE2JS.CASE_INSENSITIVE));
    return [
      size.toLocaleString('en-US'),
      micros(timed(names, (name) => v8.some((pattern) => pattern.test(name))).p50),
      micros(timed(names, (name) => re2.some((pattern) => pattern.test(name))).p50),
    ];
  });
  table(['patterns', 'V8 RegExp', 're2js'], rows);
}
