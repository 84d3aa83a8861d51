import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { expect, vi } from 'vitest';

const TIMES_LARGER = 8;
/** Sorting grows 11 times where its items grow 8 times; whatever is square in its size grows 64 times. */
const MAX_GROWTH = 12;
/** So many executed blocks are there whatever the size is. */
const ALWAYS = 1000;
const IN_SRC = /\/src\/[\w/.-]+\.ts$/;

interface FunctionCoverage {
  readonly ranges: readonly { readonly count: number }[];
}
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly FunctionCoverage[];
}

const session = new Session();

function post(method: string, parameters?: object): { result?: readonly ScriptCoverage[] } {
  let answer: object = {};
  session.post(method, parameters, (error, found: object | undefined) => {
    if (error) throw error;
    answer = found ?? {};
  });
  return answer;
}

/**
 * Loads code of src/ anew, such that what it does can be counted: V8 counts in code that it compiles from here on. Gives what ends
 * that, as vitest takes it from `beforeAll`.
 */
export async function countable(load: () => Promise<unknown>): Promise<() => void> {
  session.connect();
  // Else code that is there already is taken as it is.
  setFlagsFromString('--no-compilation-cache');
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  vi.resetModules();
  await load();
  return () => {
    post('Profiler.stopPreciseCoverage');
    session.disconnect();
    setFlagsFromString('--compilation-cache');
  };
}

/** How many characters a search looks at: up to where it ends, or all. */
function lookedAt(text: string, start: number, end: number): number {
  return (end < 0 ? text.length : end) - Math.min(start, text.length);
}

/** Counts what the functions of strings and patterns look at during the work, which V8 does without blocks. */
function searchedDuring(work: () => unknown): number {
  let searched = 0;
  const { exec } = RegExp.prototype;
  const { indexOf, includes, split } = String.prototype;
  const count = (steps: number) => {
    searched += steps;
  };
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    const start = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    if (found !== null) count(lookedAt(text, start, found.index + found[0].length));
    else if (!this.sticky) count(lookedAt(text, start, -1));
    return found;
  };
  String.prototype.indexOf = function counted(this: string, part: string, start = 0) {
    const at = indexOf.call(this, part, start);
    count(lookedAt(String(this), start, at));
    return at;
  };
  String.prototype.includes = function counted(this: string, part: string, start = 0) {
    count(lookedAt(String(this), start, indexOf.call(this, part, start)));
    return includes.call(this, part, start);
  };
  String.prototype.split = function counted(this: string, ...how: [never]) {
    count(this.length);
    return split.call(this, ...how);
  };
  try {
    work();
    return searched;
  } finally {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { indexOf, includes, split });
  }
}

/** The blocks of src/ that the work executes, each as often as it does, and the characters that it searches. */
function stepsOf(work: () => unknown): number {
  post('Profiler.takePreciseCoverage');
  const searched = searchedDuring(work);
  const { result = [] } = post('Profiler.takePreciseCoverage');
  const blocks = result
    .filter(({ url }) => IN_SRC.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  return blocks.reduce((sum, count) => sum + count, searched);
}

/**
 * Fails where work grows faster than its size: eight times the size may take twelve times the steps, while the square of it takes
 * 64 times as many. Steps are counted, so that it is the same on every machine; what one search for a pattern costs, is not.
 */
export function expectLinear(work: (size: number) => unknown, size: number, of = 'the work'): void {
  const [few, many] = [size / TIMES_LARGER, size].map((one) => stepsOf(() => work(one))) as [number, number];
  expect(few, `steps of ${of} at an eighth of ${size}, in code that is countable`).toBeGreaterThan(0);
  expect(many, `steps of ${of} at ${size}; at an eighth of it ${few}`).toBeLessThan(
    MAX_GROWTH * few + ALWAYS,
  );
}
