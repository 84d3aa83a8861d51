import { expect, it } from 'vitest';
import { canonicalName, type OwnerName } from '../../src/dns/names.ts';
import { ManyNames, type ManyNamesDeps } from '../../src/domain/blacklists/many-names.ts';
import { PatternChecker } from '../../src/matcher/pattern-checker.ts';
import { NOTHING_NON_ENFORCING } from '../../src/model/blacklists/noted.ts';
import { ALWAYS } from '../../src/model/blacklists/rule.ts';
import type { RequestContext } from '../../src/model/context/request-context.ts';
import { DomainError } from '../../src/model/errors.ts';
import { itInFullRun } from '../support/in-full-run.ts';

const TRAITS = { enforced: true, conditional: false };
const context = { projectId: 'shop' } as RequestContext;
const LABELS = Array.from({ length: 3000 }, (_, place) => `n${place}`);

function namesOver(deps: ManyNamesDeps, lines: (one: number) => readonly number[]): ManyNames {
  const name = (one: number) => canonicalName<OwnerName>(`${LABELS[one]}.shop.example.`);
  return new ManyNames(deps, { each: () => LABELS.keys(), name, lines });
}

/** Blacklists that consist of these patterns, which are numbered from 1, and what was judged by them. */
function blacklistsOf(...patterns: string[]) {
  const asked: string[] = [];
  const made = { filters: 0 };
  const isBlocked = (name: string) => patterns.some((pattern) => new RegExp(pattern).test(name));
  const deps = {
    checker: {
      get revision() {
        return patterns.length;
      },
      check: async (name: string) => ({ kind: isBlocked(name) ? 'blocked' : 'free' }),
    },
    store: {
      blacklists: {
        async *added(after: number) {
          yield patterns.slice(after).map((pattern, place) => {
            return { number: after + place + 1, pattern, traits: TRAITS };
          });
        },
      },
    },
    admitName: async (_: RequestContext, name: string) => {
      asked.push(name);
      if (isBlocked(name)) throw new DomainError('blacklisted_recordset');
      return { revision: patterns.length, span: ALWAYS, noted: NOTHING_NON_ENFORCING };
    },
    newFilter: () => {
      made.filters += 1;
      return new PatternChecker();
    },
  } as unknown as ManyNamesDeps;
  const names = namesOver(deps, (one) => [one + 4]);
  return { names, deps, asked, made, add: (...more: string[]) => patterns.push(...more) };
}

it('judges each name once, and nothing while the blacklists stay as they are', async () => {
  const { names, asked } = blacklistsOf('^nothing\\.');
  expect(await names.admit(context)).toMatchObject({ revision: 1 });
  expect(asked).toHaveLength(LABELS.length);
  expect(await names.admit(context)).toMatchObject({ revision: 1 });
  expect(asked).toHaveLength(LABELS.length);
});

it('judges only names again that a newer pattern matches', async () => {
  const { names, asked, made, add } = blacklistsOf('^nothing\\.');
  await names.admit(context);
  add('^other\\.', '^another\\.');
  expect(await names.admit(context)).toMatchObject({ revision: 3 });
  expect([asked.length, made.filters]).toEqual([LABELS.length, 1]);
  add('^n2999\\.');
  await expect(names.admit(context)).rejects.toMatchObject({
    kind: 'blacklisted_recordset',
    message: 'Blacklisted domain name',
    faults: [{ path: ['line', 3003], message: 'Blacklisted domain name' }],
  });
  expect(asked.slice(LABELS.length)).toEqual(['n2999.shop.example.']);
});

itInFullRun('judges all names again where very many patterns are newer', async () => {
  const { names, asked, add } = blacklistsOf('^nothing\\.');
  await names.admit(context);
  add(...Array.from({ length: 10_001 }, () => '^other\\.'));
  expect(await names.admit(context)).toMatchObject({ revision: 10_002 });
  expect(asked).toHaveLength(2 * LABELS.length);
});

it('names the lines of a hundred names that are refused, and counts the others', async () => {
  const { names, asked } = blacklistsOf('^n1?..\\.');
  const message = 'Blacklisted domain name\nAnd 90 more lines are invalid.';
  const refusal = await names.admit(context).catch((error: DomainError) => error);
  expect(refusal).toMatchObject({ kind: 'blacklisted_recordset', message, details: { faults: 190 } });
  const lines = (refusal as DomainError).faults.map(({ path }) => path[1]);
  expect(lines).toEqual(Array.from({ length: 100 }, (_, place) => place + 14));
  expect(asked.at(-1)).toBe('n10.shop.example.');
});

it('stops at ten thousand lines, and says that there are at least as many', async () => {
  const { deps } = blacklistsOf('.');
  const names = namesOver(deps, (one) => Array.from({ length: 10 }, (_, at) => 10 * one + at));
  await expect(names.admit(context)).rejects.toMatchObject({
    message: 'Blacklisted domain name\nAnd at least 9900 more lines are invalid.',
    details: { faults: 10_000 },
  });
});
