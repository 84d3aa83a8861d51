/** Runs one family in this process and prints what it cost as one line of JSON; `patterns.ts` starts it. */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { FAMILIES, type Family } from './families.ts';

export interface Measured {
  /** Milliseconds; pauses of the collector are left out of turns. */
  readonly longestAdd: number;
  readonly firstTurn: number;
  readonly longestTurn: number;
  readonly processor: number;
  readonly longestProcessor: number;
  readonly longestPause: number;
  /** Megabytes. */
  readonly memory: number;
  readonly verdicts: string;
}

const ROUNDS = 5;
const pauses: { from: number; to: number }[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    pauses.push({ from: startTime, to: startTime + duration });
});
observer.observe({ entryTypes: ['gc'] });

let mostMemory = 0;
const lookAtMemory = (): void => {
  mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
};

/** The processor time that this process has used, all of its threads, in milliseconds. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Of a stretch of time, what was no pause of the collector. Where less processor time was used in it, this thread had
 * to wait for others of the machine: then it is that.
 */
function without({ from, to, used }: Stretch): number {
  const paused = pauses.map((pause) => Math.min(pause.to, to) - Math.max(pause.from, from));
  const sum = paused.reduce((total, time) => total + Math.max(0, time), 0);
  return Math.min(used, to - from - sum);
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Processor time, of all threads. */
  readonly used: number;
}

async function longest(stretches: readonly Stretch[]): Promise<number> {
  await sleep(20);
  return Math.max(0, ...stretches.map(without));
}

/** The longest turn of the event loop while something is done. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const turns: Stretch[] = [];
  let done = false;
  let from = performance.now();
  let before = processor();
  const tick = (): void => {
    const to = performance.now();
    const now = processor();
    if (to - from > 0.3) turns.push({ from, to, used: now - before });
    from = performance.now();
    before = now;
    if (!done) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  done = true;
  return longest(turns);
}

/** Adds as the service does, a thousand between two turns. */
async function addAll(checker: PatternChecker, { patterns }: Family): Promise<number> {
  const stretches: Stretch[] = [];
  let key = 0;
  for (const pattern of patterns()) {
    const before = processor();
    const from = performance.now();
    checker.add(++key, pattern);
    const to = performance.now();
    if (to - from > 1) stretches.push({ from, to, used: processor() - before });
    if (key % 1000 !== 0) continue;
    lookAtMemory();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return longest(stretches);
}

/** Until nothing is done in the background any more. */
async function settle(): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const before = processor();
    await sleep(200);
    lookAtMemory();
    if (processor() - before < 10) return;
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function measure(family: Family): Promise<Measured> {
  const checker = new PatternChecker();
  const verdicts = new Set<string>();
  const check = async (name: string): Promise<void> => {
    verdicts.add((await checker.check([name], 'project')).kind);
    lookAtMemory();
  };
  const longestAdd = await addAll(checker, family);
  const firstTurn = await longestTurn(() => check(family.names[0]!));
  await settle();
  for (const name of family.names) await check(name);
  await settle();
  const used: number[] = [];
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of family.names) {
      const before = processor();
      await check(name);
      used.push(processor() - before);
      turns.push(await longestTurn(() => check(name)));
    }
  }
  lookAtMemory();
  await checker.close();
  return {
    longestAdd,
    firstTurn,
    longestTurn: Math.max(...turns),
    processor: median(used),
    longestProcessor: Math.max(...used),
    longestPause: Math.max(0, ...pauses.map(({ from, to }) => to - from)),
    memory: Math.round(mostMemory / 2 ** 20),
    verdicts: [...verdicts].join(', '),
  };
}

console.log(JSON.stringify(await measure(FAMILIES.find(({ title }) => title === process.argv[2])!)));
