/** What a create meets: the judgement beside a plain loop over all entries, at every instant around every expiry. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import { decide, rulesToRead } from '../../src/domain/blacklists/name-decision.ts';
import { MODES } from '../../src/model/blacklists/blacklist.ts';
import type { Verdict } from '../../src/model/blacklists/name-index.ts';
import { covers, type RequestedName, type Rule, traitsOf } from '../../src/model/blacklists/rule.ts';
import { formatMicroseconds } from '../../src/model/clock.ts';
import { runs } from '../support/runs.ts';

const START = Date.UTC(2030, 0, 31, 23, 59, 59, 999) * 1000;
/** Microseconds that lie around the change of a second, a day and a month. */
const INSTANTS = Array.from({ length: 12 }, (_, place) => formatMicroseconds(START + 990 + place * 2));
const EXPIRIES = [null, ...Array.from({ length: 25 }, (_, place) => formatMicroseconds(START + 989 + place))];
const NAMES: readonly Fqdn[] = ['a.example.', 'b.example.'].map((name) => canonicalName<Fqdn>(name));
const PROJECTS = ['red', 'blue'];

const exception = fc
  .record({
    projectId: fc.constantFrom(null, ...PROJECTS),
    name: fc.constantFrom(null, ...NAMES),
    description: fc.constant(null),
    expiresAt: fc.constantFrom(...EXPIRIES),
  })
  .filter(({ projectId, name }) => projectId !== null || name !== null);
const terms = fc.record({
  mode: fc.constantFrom(...MODES),
  expiresAt: fc.constantFrom(...EXPIRIES),
  exceptions: fc.array(exception, { maxLength: 3 }),
});
const rules = fc
  .array(terms, { maxLength: 5 })
  .map((all): Rule[] => all.map((one, place) => ({ ...one, number: place + 1, id: `entry ${place + 1}` })));
const asked: fc.Arbitrary<RequestedName> = fc.record({
  name: fc.constantFrom(...NAMES),
  projectId: fc.constantFrom(...PROJECTS),
});

/** What the index says of a name that all of them match. */
function verdictOn(all: readonly Rule[]): Verdict {
  const traits = new Map(all.map((rule) => [rule.number, traitsOf(rule)]));
  const numbers = (enforced: boolean, conditional?: boolean) =>
    all
      .map(({ number }) => number)
      .filter((number) => traits.get(number)!.enforced === enforced)
      .filter((number) => conditional === undefined || traits.get(number)!.conditional === conditional);
  const [key] = numbers(true, false);
  if (key !== undefined) return { kind: 'blocked', key };
  const matches = numbers(false);
  const notes = matches.length === 0 ? {} : { notes: { matches, found: matches.length } };
  const keys = numbers(true);
  return keys.length === 0 ? { kind: 'free', ...notes } : { kind: 'conditional', keys, ...notes };
}

function isExcepted({ exceptions }: Rule, { name, projectId }: RequestedName, instant: string): boolean {
  for (const one of exceptions) {
    const isOver = one.expiresAt !== null && instant >= one.expiresAt;
    const isProject = one.projectId === null || one.projectId === projectId;
    if (!isOver && isProject && (one.name === null || one.name === name)) return true;
  }
  return false;
}

/** The numbers of the entries that count, found one by one. */
function counting(all: readonly Rule[], about: RequestedName, instant: string): number[] {
  const found: number[] = [];
  for (const rule of all) {
    const isOver = rule.expiresAt !== null && instant >= rule.expiresAt;
    if (!isOver && !isExcepted(rule, about, instant)) found.push(rule.number);
  }
  return found;
}

function expected(all: readonly Rule[], about: RequestedName, instant: string) {
  const numbers = counting(all, about, instant);
  const isEnforced = (number: number) => all[number - 1]!.mode === 'enforce';
  if (numbers.some(isEnforced)) return { refused: true };
  return { refused: false, noted: numbers };
}

function found(all: readonly Rule[], about: RequestedName, instant: string) {
  const verdict = verdictOn(all);
  const read = rulesToRead(verdict);
  const outcome = decide(
    verdict,
    all.filter(({ number }) => read.includes(number)),
    about,
    instant,
  );
  if (outcome.kind !== 'free') return { outcome, shown: { refused: true } };
  expect(outcome.noted.found).toBe(outcome.noted.rules.length);
  return { outcome, shown: { refused: false, noted: outcome.noted.rules.map(({ number }) => number) } };
}

it('is what a loop over all entries says: modes, expiries to the microsecond, exceptions by project and name', () => {
  fc.assert(
    fc.property(rules, asked, fc.constantFrom(...INSTANTS), (all, about, instant) => {
      expect(found(all, about, instant).shown).toEqual(expected(all, about, instant));
    }),
    { numRuns: runs(2000, 700) },
  );
});

it('holds at every instant of its span, of which the one that it was made for is one', () => {
  fc.assert(
    fc.property(rules, asked, fc.constantFrom(...INSTANTS), (all, about, instant) => {
      const { outcome, shown } = found(all, about, instant);
      expect(covers(outcome.span, instant)).toBe(true);
      for (const other of INSTANTS.filter((one) => covers(outcome.span, one)))
        expect(expected(all, about, other)).toEqual(shown);
    }),
    { numRuns: runs(2000, 700) },
  );
});
