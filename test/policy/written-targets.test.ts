/** Rules that look at what is written or shown, which is not known yet when a route asks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../src/model/access/caller.ts';
import type { PolicyTarget, WrittenTarget } from '../../src/model/access/policy.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import { IDLE_RULES } from '../../src/policy/idle-rules.ts';
import { PolicyError } from '../../src/policy/policy-error.ts';
import { runs } from '../support/runs.ts';

const caller: Caller = { projectId: 'p', userId: 'u', roles: ['ops'] };

const CHECKS = [
  '@',
  '!',
  'role:ops',
  'role:net',
  'project_id:%(project_id)s',
  "'True':%(zone_shared)s",
  "'A':%(recordset_type)s",
  "'TXT':%(recordset_type)s",
  "'a.example.':%(recordset_name)s",
  "'example.':%(zone_name)s",
  "'PRIMARY':%(zone_type)s",
];

const { rule } = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: fc.constantFrom(...CHECKS) },
    { weight: 1, arbitrary: tie('rule').map((text) => `not (${text})`) },
    ...['and', 'or'].map((joint) => ({
      weight: 2,
      arbitrary: fc
        .array(tie('rule'), { minLength: 2, maxLength: 3 })
        .map((items) => `(${items.join(` ${joint} `)})`),
    })),
  ),
}));

const target: fc.Arbitrary<PolicyTarget & Required<WrittenTarget>> = fc.record({
  projectId: fc.constantFrom('p', 'q'),
  zoneShared: fc.constantFrom('True', 'False'),
  recordsetType: fc.constantFrom('A', 'TXT', 'MX'),
  recordsetName: fc.constantFrom('a.example.', 'b.example.'),
  zoneName: fc.constantFrom('example.', 'example.org.'),
  zoneType: fc.constantFrom('PRIMARY', 'SECONDARY'),
});

const OPEN = ['recordsetType', 'recordsetName', 'zoneName', 'zoneType'] as const;

/** The target without some of what is written. */
function without(whole: PolicyTarget, keys: readonly (typeof OPEN)[number][]): PolicyTarget {
  return { ...whole, ...Object.fromEntries(keys.map((key) => [key, undefined])) };
}

/** What a rule says by plain logic, once everything is known. */
function truth(text: string, { projectId, ...known }: PolicyTarget): boolean {
  const values: Readonly<Record<string, boolean>> = {
    '@': true,
    '!': false,
    'role:ops': true,
    'role:net': false,
    'project_id:%(project_id)s': projectId === 'p',
    "'True':%(zone_shared)s": known.zoneShared === 'True',
    "'A':%(recordset_type)s": known.recordsetType === 'A',
    "'TXT':%(recordset_type)s": known.recordsetType === 'TXT',
    "'a.example.':%(recordset_name)s": known.recordsetName === 'a.example.',
    "'example.':%(zone_name)s": known.zoneName === 'example.',
    "'PRIMARY':%(zone_type)s": known.zoneType === 'PRIMARY',
  };
  const longest = [...CHECKS].sort((a, b) => b.length - a.length);
  const script = longest
    .reduce((left, check) => left.replaceAll(check, ` ${values[check]} `), text)
    .replaceAll(/\band\b/g, '&&')
    .replaceAll(/\bor\b/g, '||')
    .replaceAll(/\bnot\b/g, '!');
  return new Function(`return (${script});`)();
}

describe('for every rule', () => {
  test('the answer is that of logic, once everything is known', () => {
    fc.assert(
      fc.property(rule, target, (text, whole) => {
        const policy = loadPolicy({ create_recordset: text });
        expect(policy.allows('create_recordset', caller, whole)).toBe(truth(text, whole));
        expect(policy.mayAllow('create_recordset', caller, whole)).toBe(truth(text, whole));
      }),
      { numRuns: runs(2_000, 400) },
    );
  });

  test('who is refused before everything is known would be refused after, and who is allowed, allowed', () => {
    fc.assert(
      fc.property(rule, target, fc.subarray([...OPEN]), fc.boolean(), (text, whole, missing, isShareOpen) => {
        const policy = loadPolicy({ create_recordset: text });
        const early: PolicyTarget = {
          ...without(whole, missing),
          ...(isShareOpen && { zoneShared: 'unknown' }),
        };
        const isAllowed = policy.allows('create_recordset', caller, whole);
        if (isAllowed) expect(policy.mayAllow('create_recordset', caller, early)).toBe(true);
        else expect(policy.allows('create_recordset', caller, early)).toBe(false);
      }),
      { numRuns: runs(4_000, 800) },
    );
  });
});

describe('before everything is known', () => {
  test.each<[string, boolean]>([
    ["'A':%(recordset_type)s", true],
    ["not 'A':%(recordset_type)s", true],
    ["role:net and 'A':%(recordset_type)s", false],
    ["role:net or 'A':%(recordset_type)s", true],
    ["not (role:ops or 'A':%(recordset_type)s)", false],
    ["role:ops and not 'example.':%(zone_name)s", true],
  ])('%s may allow: %j', (text, expected) => {
    const policy = loadPolicy({ create_recordset: text });
    expect(policy.mayAllow('create_recordset', caller, { projectId: 'p' })).toBe(expected);
    expect(policy.allows('create_recordset', caller, { projectId: 'p' })).toBe(false);
  });
});

function messageOf(overrides: Parameters<typeof loadPolicy>[0]): string {
  try {
    loadPolicy(overrides, 'p.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError);
    return (error as PolicyError).message;
  }
  throw new Error('the policy was loaded');
}

describe('the start is stopped by a target', () => {
  test('in the rule of a list', () => {
    expect(messageOf({ find_recordsets: "'A':%(recordset_type)s" })).toBe(
      'p.yaml: rule "find_recordsets": uses %(recordset_type)s, itself or in a rule that it refers to, but a list is not asked entry by entry. docs/policy.md says which rules may use it.',
    );
  });

  test('that reaches the rule of a list through another rule', () => {
    expect(messageOf({ project_reader: "role:reader and 'PRIMARY':%(zone_type)s" })).toMatch(
      /^p\.yaml: default of the rule "(find|list)_\w+": uses %\(zone_type\)s, .* a list is not asked entry by entry/,
    );
  });

  test('of a recordset in the rule of a zone, and of a zone in a rule about something else', () => {
    expect(messageOf({ delete_zone: "'A':%(recordset_type)s" })).toMatch(
      /about a zone, not about a recordset/,
    );
    expect(messageOf({ create_tld: "'x.':%(zone_name)s" })).toMatch(
      /before that is known, or about something/,
    );
  });

  test('but not where nothing asks the rule', () => {
    loadPolicy({ find_records: "'PRIMARY':%(zone_type)s", mine: '@', create_tld: 'rule:mine' });
  });
});

describe('a rule of Designate that guards nothing', () => {
  test('never stops the start, whatever it says, and is known by its name', () => {
    const overrides = Object.fromEntries(IDLE_RULES.map((name) => [name, 'http://no.check/ at all']));
    expect(loadPolicy({ ...overrides, create_tld: '@' }).idle).toEqual(IDLE_RULES);
  });

  test('counts where another rule refers to it', () => {
    const policy = loadPolicy({
      create_tld: 'rule:default',
      default: 'rule:get_zones',
      get_zones: 'role:ops',
    });
    expect(policy.idle).toEqual([]);
    expect(policy.allows('create_tld', caller, {})).toBe(true);
    expect(messageOf({ create_tld: 'rule:default', default: 'nonsense' })).toMatch(
      /"default": .* not a check/,
    );
  });
});
