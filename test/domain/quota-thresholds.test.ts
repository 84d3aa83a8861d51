/** When a project is told of a limit, at the exact borders: a model in whole numbers says the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_NOTIFIED, type NotifiedThresholds, UNLIMITED } from '../../src/model/quotas/quota.ts';
import { quotaAlert, quotaAlertsOfZone } from '../../src/model/quotas/quota-thresholds.ts';
import { runs } from '../support/runs.ts';

const THRESHOLDS = [
  { type: 'quota.near', at: 80n, again: 75n },
  { type: 'quota.reached', at: 100n, again: 90n },
] as const;
type Type = (typeof THRESHOLDS)[number]['type'];

interface Step {
  readonly usage: number;
  readonly limit: number;
}

/** What is told at each step, counted without a fraction. */
function modelOf(steps: readonly Step[]): readonly (readonly Type[])[] {
  const told = new Map<Type, number>();
  let before: Step = { usage: 0, limit: UNLIMITED };
  return steps.map((step) => {
    const { usage, limit } = step;
    const isTighter = limit !== UNLIMITED && (before.limit === UNLIMITED || limit < before.limit);
    const rises = usage > before.usage || isTighter;
    before = step;
    if (limit === UNLIMITED) {
      told.clear();
      return [];
    }
    const isBelow = (percent: bigint) => limit !== 0 && BigInt(usage) * 100n < BigInt(limit) * percent;
    return THRESHOLDS.flatMap(({ type, at, again }) => {
      if (told.get(type) !== limit || isBelow(again)) told.delete(type);
      if (!rises || isBelow(at) || told.has(type)) return [];
      told.set(type, limit);
      return [type];
    });
  });
}

function productOf(steps: readonly Step[]): readonly (readonly Type[])[] {
  let told: NotifiedThresholds = NOTHING_NOTIFIED;
  let before: Step = { usage: 0, limit: UNLIMITED };
  return steps.map((step) => {
    const { usage, limit } = step;
    const isTighter = limit !== UNLIMITED && (before.limit === UNLIMITED || limit < before.limit);
    const next = quotaAlert(told, {
      measure: 'zones',
      usage,
      limit,
      rises: usage > before.usage || isTighter,
    });
    told = next.notified;
    before = step;
    return next.alerts.map(({ type }) => type);
  });
}

/** The usages at and beside each threshold of a limit. */
function bordersOf(limit: number): readonly number[] {
  const exact = [75n, 80n, 90n, 100n].map((percent) => Number((BigInt(limit) * percent) / 100n));
  return [...new Set(exact.flatMap((one) => [one - 1, one, one + 1]))].filter((one) => one >= 0);
}

const limits = fc.oneof(
  fc.constantFrom(UNLIMITED, 0, 1, 2, 3, 4, 5, 7, 10, 20, 100),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
);
const steps = fc.array(limits, { minLength: 1, maxLength: 3 }).chain((some) =>
  fc.array(
    fc
      .constantFrom(...some)
      .chain((limit) =>
        fc
          .oneof(
            fc.constantFrom(...bordersOf(Math.max(limit, 0))),
            fc.integer({ min: 0, max: 2 * Math.max(limit, 1) }),
          )
          .map((usage): Step => ({ usage, limit })),
      ),
    { minLength: 1, maxLength: 40 },
  ),
);

describe('a limit', () => {
  it('is told of as a model in whole numbers says, at the borders too', () => {
    fc.assert(
      fc.property(steps, (some) => {
        expect(productOf(some)).toEqual(modelOf(some));
      }),
      { numRuns: runs(3000, 1000) },
    );
  });

  it.each([
    [20, [15, 16, 15, 16, 14, 16], [[], ['quota.near'], [], [], [], ['quota.near']]],
    [20, [20, 18, 20, 17, 20], [['quota.near', 'quota.reached'], [], [], [], ['quota.reached']]],
    [1000, [799, 800, 750, 800, 749, 800], [[], ['quota.near'], [], [], [], ['quota.near']]],
    [3, [2, 3, 2, 3], [[], ['quota.near', 'quota.reached'], [], ['quota.near', 'quota.reached']]],
    [0, [0, 1], [[], ['quota.near', 'quota.reached']]],
  ])('of %i is told of at 80 and 100 %, and again below 75 and 90', (limit, usages, expected) => {
    let before = 0;
    let told: NotifiedThresholds = NOTHING_NOTIFIED;
    const seen = usages.map((usage) => {
      const next = quotaAlert(told, { measure: 'zones', usage, limit, rises: usage > before });
      told = next.notified;
      before = usage;
      return next.alerts.map(({ type }) => type);
    });
    expect(seen).toEqual(expected);
  });
});

describe('the sizes of a zone', () => {
  const sizes = fc.record({
    recordsets: fc.integer({ min: 0, max: 12 }),
    records: fc.integer({ min: 0, max: 12 }),
    bytes: fc.integer({ min: 0, max: 12 }),
  });

  it('are each told of for themselves, whatever the others do, over what is kept as text', () => {
    const limit = 10;
    const of = { zone_recordsets: 'recordsets', zone_records: 'records', max_zone_size: 'bytes' } as const;
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 30 }), (some) => {
        let told = '';
        let before = { recordsets: 0, records: 0, bytes: 0 };
        const seen = some.map((now) => {
          const next = quotaAlertsOfZone({
            notified: told,
            now,
            limits: { zone_recordsets: limit, zone_records: limit, max_zone_size: limit },
            rises: (_, size) => now[size] > before[size],
          });
          told = next.notified;
          before = now;
          return next.alerts;
        });
        for (const [measure, size] of Object.entries(of)) {
          const own = seen.map((all) => all.filter((one) => one.measure === measure).map(({ type }) => type));
          expect(own).toEqual(
            modelOf([{ usage: 0, limit }, ...some.map((one) => ({ usage: one[size], limit }))]).slice(1),
          );
        }
      }),
    );
  });
});
