/** Random changes of entries, their terms and the time: what a create meets beside a plain loop over all entries. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import { type BlacklistDecision, blacklistChecker } from '../../src/domain/blacklists/blacklist-checker.ts';
import { isWarned } from '../../src/domain/blacklists/unchanged-blacklists.ts';
import { LocalIndex } from '../../src/matcher/local-index.ts';
import { StepBudget } from '../../src/matcher/run/budget.ts';
import { compileProgram, searchPattern } from '../../src/matcher/run/program.ts';
import { encodeText } from '../../src/matcher/run/text.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';
import { MODES, type Terms } from '../../src/model/blacklists/blacklist.ts';
import { formsOf } from '../../src/model/blacklists/name-index.ts';
import { covers, traitsOf } from '../../src/model/blacklists/rule.ts';
import type { AddedPattern, NumberedPattern } from '../../src/model/blacklists/store.ts';
import { formatMicroseconds } from '../../src/model/clock.ts';
import type { Store } from '../../src/model/store.ts';
import { pattern } from '../matcher/index-patterns.ts';
import { runs } from '../support/runs.ts';

const START = Date.UTC(2030, 11, 31, 23, 59, 59, 999) * 1000 + 990;
const at = (microseconds: number): string => formatMicroseconds(START + microseconds);
const PROJECTS = ['red', 'blue'];
const NAMES = ['a.b.', 'evil.com.', 'xn--tda.a-b.', 'aa.k.ss.', 'x1.ab.com.'].map((name) =>
  canonicalName<Fqdn>(name),
);

interface Entry extends Terms {
  readonly id: string;
  readonly pattern: string;
  readonly number: number;
  /** Taken out of the indexes since it has expired. */
  readonly isEnded: boolean;
}

const expiry = fc.option(fc.integer({ min: 0, max: 40 }).map(at), { freq: 2 });
const exception = fc
  .record({
    projectId: fc.constantFrom(null, ...PROJECTS),
    name: fc.constantFrom(null, ...NAMES),
    description: fc.constant(null),
    expiresAt: expiry,
  })
  .filter(({ projectId, name }) => projectId !== null || name !== null);
const terms: fc.Arbitrary<Terms> = fc.record({
  mode: fc.constantFrom(...MODES),
  expiresAt: expiry,
  exceptions: fc.array(exception, { maxLength: 4 }),
});
/** Often such as match much, so that names meet several. */
const source = fc.oneof(
  pattern,
  fc.constantFrom('', '.', '\\.$', '(^|\\.)com\\.$', '[a-z]', '^a', '(?=a).', '^evil\\.com\\.$', 'ü'),
);

type Change =
  | { readonly kind: 'add'; readonly pattern: string; readonly terms: Terms }
  | { readonly kind: 'terms'; readonly which: number; readonly terms: Terms }
  | { readonly kind: 'pattern'; readonly which: number; readonly pattern: string }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'pass'; readonly microseconds: number }
  /** The chore that ends what has expired. */
  | { readonly kind: 'end' }
  | { readonly kind: 'check'; readonly name: Fqdn; readonly projectId: string };
const of = <K extends Change['kind']>(kind: K) => fc.constant(kind);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: of('add'), pattern: source, terms }) },
  { weight: 3, arbitrary: fc.record({ kind: of('terms'), which: fc.nat(), terms }) },
  { weight: 1, arbitrary: fc.record({ kind: of('pattern'), which: fc.nat(), pattern: source }) },
  { weight: 1, arbitrary: fc.record({ kind: of('remove'), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: of('pass'), microseconds: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: of('end') }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: of('check'),
      name: fc.constantFrom(...NAMES),
      projectId: fc.constantFrom(...PROJECTS),
    }),
  },
);

/** Blacklists in memory: every change has a number, as in a store. */
class World {
  entries: Entry[] = [];
  readonly #gone: (NumberedPattern & { readonly at: number })[] = [];
  #revision = 0;
  #next = 0;
  now = 0;

  readonly store = {
    blacklists: {
      size: async () => this.entries.length,
      revision: async () => this.#revision,
      present: async () => ({ revision: this.#revision, instant: at(this.now) }),
      rules: async (numbers: readonly number[]) =>
        this.entries.filter(({ number }) => numbers.includes(number)).sort((a, b) => a.number - b.number),
      added: (after: number, upTo: number) => this.#batch(this.#added(after, upTo)),
      removed: (after: number, upTo: number) =>
        this.#batch(this.#gone.filter((one) => one.at > after && one.at <= upTo)),
    },
  };

  async *#batch<P extends NumberedPattern>(patterns: readonly P[]) {
    if (patterns.length > 0) yield patterns;
  }

  #added(after: number, upTo: number): AddedPattern[] {
    return this.entries
      .filter(({ number, isEnded }) => !isEnded && number > after && number <= upTo)
      .map((entry) => ({
        number: entry.number,
        pattern: entry.pattern,
        traits: traitsOf(entry),
        mode: entry.mode,
      }));
  }

  #leave(entry: Entry): void {
    if (entry.isEnded) return;
    this.#revision += 1;
    const { number, pattern } = entry;
    this.#gone.push({ number, pattern, traits: traitsOf(entry), at: this.#revision });
  }

  #replace(which: number, change: (entry: Entry) => Partial<Entry>): void {
    const place = which % Math.max(1, this.entries.length);
    const before = this.entries[place];
    if (before === undefined) return;
    this.#leave(before);
    this.#revision += 1;
    this.entries[place] = { ...before, isEnded: false, ...change(before), number: this.#revision };
  }

  apply(change: Exclude<Change, { kind: 'check' }>): void {
    if (change.kind === 'add') {
      this.#revision += 1;
      const id = `entry ${this.#next++}`;
      const { pattern } = change;
      this.entries.push({ id, pattern, ...change.terms, number: this.#revision, isEnded: false });
    } else if (change.kind === 'terms') this.#replace(change.which, () => change.terms);
    else if (change.kind === 'pattern') this.#replace(change.which, () => ({ pattern: change.pattern }));
    else if (change.kind === 'remove') {
      const [gone] = this.entries.splice(change.which % Math.max(1, this.entries.length), 1);
      if (gone !== undefined) this.#leave(gone);
    } else if (change.kind === 'pass') this.now += change.microseconds;
    else this.#end();
  }

  #end(): void {
    this.entries = this.entries.map((entry) => {
      if (entry.expiresAt === null || entry.expiresAt > at(this.now)) return entry;
      this.#leave(entry);
      return { ...entry, isEnded: true };
    });
  }
}

const known = new Map<string, boolean>();

function matches(source: string, name: Fqdn): boolean {
  const key = `${name} ${source}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const program = compileProgram(parsePattern(source));
  const found = formsOf(name).some(
    (form) => searchPattern(program, encodeText(form), new StepBudget(1e7)) === 'match',
  );
  known.set(key, found);
  return found;
}

interface Asked {
  readonly name: Fqdn;
  readonly projectId: string;
}

function isExcepted({ exceptions }: Entry, { name, projectId }: Asked, instant: string): boolean {
  for (const one of exceptions) {
    const isOver = one.expiresAt !== null && instant >= one.expiresAt;
    const isProject = one.projectId === null || one.projectId === projectId;
    if (!isOver && isProject && (one.name === null || one.name === name)) return true;
  }
  return false;
}

/** Those of the matching entries that count for a create, found one by one. */
function counting(matching: readonly Entry[], asked: Asked, instant: string): Entry[] {
  const found: Entry[] = [];
  for (const entry of matching) {
    const isOver = entry.expiresAt !== null && instant >= entry.expiresAt;
    if (!isOver && !isExcepted(entry, asked, instant)) found.push(entry);
  }
  return found.sort((a, b) => a.number - b.number);
}

function expectAgreement(judgement: BlacklistDecision, found: readonly Entry[]): void {
  const refusing = found.filter(({ mode }) => mode === 'enforce').map(({ id }) => id);
  if (refusing.length > 0) {
    expect(judgement.kind).toBe('blocked');
    if (judgement.kind !== 'blocked') return;
    expect(judgement.rules.length).toBeGreaterThan(0);
    expect(refusing).toEqual(expect.arrayContaining(judgement.rules.map(({ id }) => id)));
    return;
  }
  expect(judgement.kind).toBe('free');
  if (judgement.kind !== 'free') return;
  const { noted } = judgement;
  expect(noted.rules.map(({ id, mode }) => [id, mode])).toEqual(found.map(({ id, mode }) => [id, mode]));
  expect(noted.found).toBe(found.length);
  expect(isWarned({ noted })).toBe(found.some(({ mode }) => mode === 'warn'));
}

it('is what a loop over all entries says: verdict, matches and warning, and for as long as the judgement says', async () => {
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 10, maxLength: 40, size: 'max' }),
    async (changes) => {
      const world = new World();
      const index = new LocalIndex();
      const checker = blacklistChecker({
        store: world.store as unknown as Store,
        index: {
          get size() {
            return index.size;
          },
          add: (number, pattern, traits) => index.add(number, pattern, traits),
          remove: (number, pattern, traits) => index.remove(number, pattern, traits),
          clear() {
            throw new Error('The revision never goes back.');
          },
          check: async (forms) => index.check(forms),
        },
        log: { info() {} } as never,
        clock: { now: () => at(world.now) },
      });
      for (const change of changes) {
        if (change.kind !== 'check') {
          world.apply(change);
          continue;
        }
        const { name, projectId } = change;
        // As a create does: it is confirmed at the present revision before anything rests on it.
        await checker.catchUp();
        const judgement = await checker.check(name, projectId);
        expect(covers(judgement.span, at(world.now))).toBe(true);
        const matching = world.entries.filter((entry) => matches(entry.pattern, name));
        const instants = Array.from({ length: 60 }, (_, place) => at(world.now + place));
        const covered = instants.filter((instant) => covers(judgement.span, instant));
        for (const instant of [covered[0]!, covered.at(-1)!])
          expectAgreement(judgement, counting(matching, { name, projectId }, instant));
      }
    },
  );
  await fc.assert(property, { numRuns: runs(60, 30) });
});
