import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Caller, NO_PROJECT } from '../../src/model/access/caller.ts';
import type { PolicyTarget } from '../../src/model/access/policy.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import type { RuleSource } from '../../src/policy/language.ts';
import { PolicyError } from '../../src/policy/policy-error.ts';
import { runs } from '../support/runs.ts';

const caller = (roles: string[], projectId = 'p', userId = 'u'): Caller => ({ projectId, userId, roles });

/** What a rule of this text says. */
function says(source: RuleSource, who: Caller, target: PolicyTarget = { projectId: 'p' }): boolean {
  return loadPolicy({ create_zone: source }).allows('create_zone', who, target);
}

function errorOf(run: () => unknown): PolicyError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError);
    return error as PolicyError;
  }
  throw new Error('nothing was thrown');
}

const nobody = caller([]);
const ops = caller(['ops']);
const net = caller(['net']);
const both = caller(['ops', 'net']);

describe('rules', () => {
  test.each<[RuleSource, Caller, PolicyTarget, boolean]>([
    ['', nobody, {}, true],
    ['@', nobody, {}, true],
    ['!', caller(['admin']), {}, false],
    ['role:ops', ops, {}, true],
    ['role:ops', net, {}, false],
    ['role:OPS', caller(['Ops']), {}, true],
    ['role:compute:admin', caller(['compute:admin']), {}, true],
    ['role:reader', caller(['member']), {}, true],
    ['role:reader', caller(['ADMIN']), {}, true],
    ['role:member', caller(['admin']), {}, true],
    ['role:member', caller(['reader']), {}, false],
    ['role:admin', caller(['member']), {}, false],
    ['is_admin:True', caller(['admin']), {}, true],
    ['is_admin:True', caller(['member']), {}, false],
    ['is_admin:False', caller(['member']), {}, true],
    ['rule:admin', caller(['admin']), {}, true],
    ['project_id:%(project_id)s', nobody, { projectId: 'p' }, true],
    ['tenant_id:%(tenant_id)s', nobody, { projectId: 'p' }, true],
    ['tenant:%(tenant_id)s', nobody, { projectId: 'p' }, true],
    // Who has no project owns nothing, not even what belongs to none.
    ['project_id:%(project_id)s', caller([], NO_PROJECT), { projectId: NO_PROJECT }, false],
    ['system_scope:all', { ...nobody, systemScope: 'all' }, {}, true],
    ['system_scope:all', nobody, {}, false],
    ['project_id:%(project_id)s', nobody, { projectId: 'P' }, false],
    ['project_id:%(project_id)s', nobody, {}, false],
    ['project_id:infra', caller([], 'infra'), {}, true],
    ['user_id:%(user_id)s', nobody, { userId: 'u' }, true],
    ['user_id:%(user_id)s', nobody, {}, false],
    ['user_id:u', nobody, {}, true],
    ["'p':%(project_id)s", nobody, { projectId: 'p' }, true],
    ['"p":%(project_id)s', nobody, { projectId: 'p' }, true],
    ["'q':%(project_id)s", nobody, { projectId: 'p' }, false],
    ["'':%(project_id)s", nobody, {}, false],
    ["'True':%(zone_shared)s", caller(['admin']), {}, false],
    ['True:%(all_tenants)s', caller(['admin']), {}, false],
    ['None:%(project_id)s', nobody, {}, false],
    ['role:ops and role:net', ops, {}, false],
    ['role:ops and role:net', both, {}, true],
    ['role:ops or role:net', net, {}, true],
    ['not role:ops', ops, {}, false],
    ['NOT role:ops Or role:ops AND role:net', both, {}, true],
    ['not not role:ops', ops, {}, true],
    ['@ or ! and !', nobody, {}, true],
    ['(@ or !) and !', nobody, {}, false],
    ['! and ! or @', nobody, {}, true],
    ['not ! and !', nobody, {}, false],
    ['not (! and !)', nobody, {}, true],
    ['((role:ops))', ops, {}, true],
    ['( role:ops\tor\nproject_id:%(project_id)s )', net, { projectId: 'p' }, true],
    ['(project_id:%(project_id)s)', nobody, { projectId: 'p' }, true],
    [[], nobody, {}, true],
    [[[]], caller(['admin']), {}, false],
    [['role:ops', 'role:net'], net, {}, true],
    [[['role:ops', 'role:net']], net, {}, false],
    [[['role:ops', 'role:net'], ['rule:owner']], nobody, { projectId: 'p' }, true],
    [[['!'], ['@']], nobody, {}, true],
  ])('%j for %j on %j: %j', (source, who, target, expected) => {
    expect(says(source, who, target)).toBe(expected);
  });
});

describe('what is refused when loading', () => {
  test.each<[RuleSource, RegExp]>([
    [' ', /contains only white space/],
    ['role:ops role:net', /there is "role:net" where "and" or "or" is expected/],
    ['role:ops and', /the rule ends where a check is expected/],
    ['and role:ops', /there is "and" where a check is expected/],
    ['not', /the rule ends where a check is expected/],
    ['(role:ops', /the rule ends where "\)" is expected/],
    ['role:ops)', /there is "\)" where "and" or "or" is expected/],
    ['()', /there is "\)" where a check is expected/],
    ['admin', /"admin" is not a check/],
    ['True', /"True" is not a check/],
    ["'role:admin'", /there is no check/],
    ['@@', /is not a check/],
    ['!role:admin', /there is no check "!role:"/],
    ['role:', /"" is not a value/],
    ['role:%(project_id)s', /is not a value/],
    ['rule:', /is not a value/],
    ['rule:nothing', /refers to a rule that does not exist, "nothing"/],
    ['http://policy.example.com/%(name)s', /there is no check "http:"/],
    ['https://policy.example.com/', /there is no check "https:"/],
    ['domain_id:default', /there is no check "domain_id:"/],
    ['__proto__:x', /there is no check "__proto__:"/],
    ['project_id:%(zone_id)s', /a target has no "zone_id"/],
    ['project_id:%(project_id)d', /is not a value/],
    ['project_id:a-%(project_id)s', /is not a value/],
    ['project_id:%(project_id', /is not a value/],
    ['project_id:', /is not a value/],
    ['is_admin:1', /is_admin is True or False/],
    ['is_admin:true', /is_admin is True or False/],
    ["'a b':%(project_id)s", /there is .* where|is not a check/],
    ['rule:create_zone', /in a cycle: "create_zone" → "create_zone"/],
    [`${'('.repeat(60)}@${')'.repeat(60)}`, /nested deeper than 50 levels/],
    [`${'not '.repeat(1_000)}@`, /nested deeper than 50 levels/],
    [`${'('.repeat(9_000)}`, /nested deeper than 50 levels/],
    ['@ or '.repeat(4_000), /is longer than 10000 characters/],
    [['role:ops or role:net'], /is one check/],
    [[['role:ops', '']], /is not a check/],
    [[['(@)']], /is not a check/],
  ])('%j', (source, message) => {
    const error = errorOf(() => loadPolicy({ create_zone: source }, 'policy.yaml'));
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^policy\.yaml: rule "create_zone": /);
    expect(error.message.length).toBeLessThan(400);
  });

  test('a circle through several rules names them all', () => {
    const error = errorOf(() => loadPolicy({ owner: 'rule:a', a: 'not rule:b', b: 'rule:owner' }, 'p.yaml'));
    expect(error.message).toBe(
      'p.yaml: rule "b": rules refer to each other in a cycle: "owner" → "a" → "b" → "owner".',
    );
  });

  test('a circle that closes in a default names the file', () => {
    const error = errorOf(() => loadPolicy({ owner: 'rule:admin_or_owner' }, 'p.yaml'));
    expect(error.message).toMatch(/^p\.yaml: .*cycle: "owner" → "admin_or_owner" → "owner"/);
  });

  test('a rule that nothing knows and nothing refers to', () => {
    const error = errorOf(() => loadPolicy({ create_blacklists: '@' }, 'p.yaml'));
    expect(error.message).toMatch(/^p\.yaml: rule "create_blacklists": there is no rule with this name/);
  });

  test('rules that multiply', () => {
    const rules: Record<string, string> = { create_zone: 'rule:r20', r0: '@' };
    for (let i = 1; i <= 20; i += 1) rules[`r${i}`] = `rule:r${i - 1} and rule:r${i - 1}`;
    expect(errorOf(() => loadPolicy(rules)).message).toMatch(/more than 10000 checks/);
  });

  test('a long chain of rules', () => {
    const rules: Record<string, string> = { create_zone: 'rule:r5000', r0: '@' };
    for (let i = 1; i <= 5_000; i += 1) rules[`r${i}`] = `rule:r${i - 1}`;
    expect(errorOf(() => loadPolicy(rules)).message).toMatch(/more than 50 rules/);
  });
});

type Tree = boolean | { not: Tree } | { and: Tree[] } | { or: Tree[] };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.boolean(),
    fc.record({ not: tie('tree') }),
    fc.record({ and: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ or: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }) }),
  ),
}));

function written(node: Tree): string {
  if (typeof node === 'boolean') return node ? '@' : '!';
  if ('not' in node) return `not (${written(node.not)})`;
  if ('and' in node)
    return node.and
      .map((item) => (typeof item === 'object' && 'or' in item ? `(${written(item)})` : written(item)))
      .join(' and ');
  return node.or.map(written).join(' or ');
}

function truth(node: Tree): boolean {
  if (typeof node === 'boolean') return node;
  if ('not' in node) return !truth(node.not);
  return 'and' in node ? node.and.every(truth) : node.or.some(truth);
}

describe('for every rule', () => {
  test('the answer is that of logic', () => {
    fc.assert(
      fc.property(tree, (node) => {
        expect(says(written(node), nobody)).toBe(truth(node));
      }),
    );
  });

  test('a text is a rule or a PolicyError', () => {
    const words = [
      'and',
      'OR',
      'not',
      '(',
      ')',
      '@',
      '!',
      'role:x',
      'rule:admin',
      '%(project_id)s',
      "'a':",
      ':',
      '\ud800',
      '\n',
    ];
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, (source) => {
        try {
          expect(typeof says(source, nobody)).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyError);
        }
      }),
      { numRuns: runs(2_000, 600) },
    );
  });
});
