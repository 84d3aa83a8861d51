/**
 * Runs one family in this process and prints what it cost as one line of JSON; `patterns.ts` starts it, twice: once for
 * the work in the calling thread alone, with no other thread at work, and once for the whole.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PatternChecker } from '../../../src/matcher/pattern-checker.ts';
import { PatternIndex } from '../../../src/matcher/pattern-index.ts';
import { LocalRunners } from '../../../src/matcher/runner/local.ts';
import { FAMILIES, type Family } from './families.ts';

/** Milliseconds of processor time of the calling thread, pauses of the collector left out. */
export interface Turns {
  readonly longestAdd: number;
  readonly firstCheck: number;
  /** Of twenty checks of each name: the median, and what all but one in twenty take at most. */
  readonly check: readonly [p50: number, p95: number];
  readonly longestPause: number;
}

export interface Whole {
  /** Milliseconds of all threads for a check. */
  readonly processor: number;
  readonly longestProcessor: number;
  /** Megabytes. */
  readonly memory: number;
  readonly verdicts: string;
}

const ROUNDS = 5;
const WARM_UP = [
  '(a+)b\\1x',
  '[a-f]{3}[0-9]x',
  '(?=[é-ü])c',
  '^[^.]+\\.(?:a|b){2,5}\\.$',
  'needle[\\w-]+x',
  '^a\\.b\\.$',
];
const pauses: { from: number; to: number }[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    pauses.push({ from: startTime, to: startTime + duration });
  }
});
observer.observe({ entryTypes: ['gc'] });

/** The processor time that this process has used, all of its threads, in milliseconds. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A piece of work: when it ran, and the processor time that it took. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly used: number;
}

function timed(work: () => void): Stretch {
  const before = processor();
  const from = performance.now();
  work();
  return { from, to: performance.now(), used: processor() - before };
}

/** What pauses of the collector took within a stretch. */
function paused({ from, to }: Stretch): number {
  const within = pauses.map((pause) => Math.min(pause.to, to) - Math.max(pause.from, from));
  return within.reduce((sum, time) => sum + Math.max(0, time), 0);
}

/** What pieces of work took of the calling thread's own. */
async function ownTimes(stretches: readonly Stretch[]): Promise<number[]> {
  await sleep(20);
  return stretches.map((stretch) => stretch.used - paused(stretch));
}

async function longest(stretches: readonly Stretch[]): Promise<number> {
  return Math.max(0, ...(await ownTimes(stretches)));
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets the compiler of the runtime see what is to be measured, on other patterns. */
function warmUp(names: readonly string[]): void {
  const warm = new PatternIndex(new LocalRunners());
  for (let i = 0; i < 40; i++) {
    WARM_UP.forEach((pattern, j) => {
      warm.add(i * 10 + j + 1, `${pattern}${i}`);
    });
    for (const name of names) warm.check([name]);
  }
}

async function measureTurns({ patterns, names }: Family): Promise<Turns> {
  warmUp(names);
  const index = new PatternIndex(new LocalRunners());
  const added: Stretch[] = [];
  let key = 0;
  for (const pattern of patterns()) {
    const stretch = timed(() => index.add(++key, pattern));
    if (stretch.used > 1) added.push(stretch);
    if (key % 1000 === 0) await nextTurn();
  }
  const check = (name: string) =>
    timed(() => {
      const found = index.check([name]);
      // As it is sent to the worker.
      if ((found.kind as string) === 'long') structuredClone(found);
    });
  const first = check(names[0]!);
  const checked: Stretch[] = [];
  for (let round = 0; round < ROUNDS * 4; round++) {
    for (const name of names) checked.push(check(name));
    await nextTurn();
  }
  const own = (await ownTimes(checked)).sort((a, b) => a - b);
  return {
    longestAdd: await longest(added),
    firstCheck: await longest([first]),
    check: [own[Math.floor(own.length / 2)]!, own[Math.floor(own.length * 0.95)]!],
    longestPause: Math.max(0, ...pauses.map(({ from, to }) => to - from)),
  };
}

let mostMemory = 0;
const lookAtMemory = (): void => {
  mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
};

/** Until nothing is done in the background any more. */
async function settle(): Promise<void> {
  for (let i = 0, idle = 0; i < 300 && idle < 5; i++) {
    const before = processor();
    await sleep(200);
    lookAtMemory();
    idle = processor() - before < 10 ? idle + 1 : 0;
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function measureWhole({ patterns, names }: Family): Promise<Whole> {
  const checker = new PatternChecker();
  const verdicts = new Set<string>();
  let key = 0;
  for (const pattern of patterns()) {
    checker.add(++key, pattern);
    if (key % 1000 !== 0) continue;
    lookAtMemory();
    await nextTurn();
  }
  await settle();
  const used: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const before = processor();
      verdicts.add((await checker.check([name], 'project')).kind);
      used.push(processor() - before);
      lookAtMemory();
    }
  }
  await checker.close();
  return {
    processor: median(used),
    longestProcessor: Math.max(...used),
    memory: Math.round(mostMemory / 2 ** 20),
    verdicts: [...verdicts].join(', '),
  };
}

const family = FAMILIES.find(({ title }) => title === process.argv[3])!;
console.log(
  JSON.stringify(await (process.argv[2] === 'turns' ? measureTurns(family) : measureWhole(family))),
);
