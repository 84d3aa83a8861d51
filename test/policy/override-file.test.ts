import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import { parsePolicyFile } from '../../src/policy/override-file.ts';
import { PolicyError } from '../../src/policy/policy-error.ts';
import { runs } from '../support/runs.ts';

const read = (text: string) => ({ ...parsePolicyFile(text, 'policy.yaml') });

describe('files that are read', () => {
  test.each([
    ['nothing', '', {}],
    ['comments alone', '# "create_zone": "role:admin"\n\n', {}],
    ['an empty document', '---\n', {}],
    ['an empty mapping', '{}', {}],
    [
      'texts',
      '# why\n"create_zone": "role:admin"\nuse_blacklisted_zone: "!"\n',
      { create_zone: 'role:admin', use_blacklisted_zone: '!' },
    ],
    ['plain texts', 'create_zone: role:admin or role:x\n', { create_zone: 'role:admin or role:x' }],
    ['an empty rule', 'create_zone: ""', { create_zone: '' }],
    ['folded text', 'create_zone: >-\n  role:admin or\n  role:x\n', { create_zone: 'role:admin or role:x' }],
    [
      'lists',
      'create_zone:\n- [role:a, rule:owner]\n- role:b\n',
      { create_zone: [['role:a', 'rule:owner'], 'role:b'] },
    ],
    ['an empty list', 'create_zone: []', { create_zone: [] }],
    ['JSON', '{"create_zone": [["role:a"]], "get_zone": "@"}', { create_zone: [['role:a']], get_zone: '@' }],
    ['CRLF', 'create_zone: "@"\r\nget_zone: "!"\r\n', { create_zone: '@', get_zone: '!' }],
    ['a byte order mark', '\ufeffcreate_zone: "@"\n', { create_zone: '@' }],
  ])('%s', (_, text, rules) => expect(read(text)).toEqual(rules));

  test('and used', () => {
    const policy = loadPolicy(
      parsePolicyFile('create_blacklist: rule:ops\nops: role:ops', 'policy.yaml'),
      'policy.yaml',
    );
    expect(policy.allows('create_blacklist', { projectId: 'p', userId: 'u', roles: ['ops'] }, {})).toBe(true);
  });
});

describe('files that are refused', () => {
  test.each([
    ['a list', '- create_zone', 1, /must be a mapping/],
    ['a text', 'create_zone', 1, /must be a mapping/],
    ['duplicate names', 'a: "@"\nb: "@"\na: "!"', 3, /the rule "a" is defined here a second time/],
    ['no value', 'create_zone:\n', 1, /the rule "create_zone" must be a quoted string/],
    ['null', 'create_zone: null', 1, /must be a quoted string/],
    ['a number', 'create_zone: 5', 1, /must be a quoted string/],
    ['a boolean', 'create_zone: true', 1, /must be a quoted string/],
    ['a mapping', 'create_zone: {role: admin}', 1, /must be a quoted string/],
    ['a list of lists of lists', 'create_zone: [[[role:a]]]', 1, /must be a quoted string/],
    ['a number in a list', '\ncreate_zone: [[5]]', 2, /must be a quoted string/],
    ['a numeric name', '5: "@"', 1, /the name of a rule must be a string/],
    ['no name', ': "@"', 1, /the name of a rule must be a string/],
    ['a list for a name', '[a]: "@"', 1, /the name of a rule must be a string/],
    ['a name with a space', 'create zone: "@"', 1, /"create zone" is not a rule name/],
    ['a merge key', '<<: {a: "@"}', 1, /"<<" is not a rule name/],
    ['an anchor', 'a: &x "@"\nb: "@"', 1, /anchors/],
    ['an alias', 'b: "@"\na: *x', 2, /Unresolved alias|aliases/],
    ['a tag', 'a: !!str x', 1, /tags/],
    ['a tag of its own', 'a: !foo x', 1, /./],
    ['! without quotes', 'b: "@"\na: !\n', 2, /write "!" with its quotes/],
    ['@ without quotes', 'b: "@"\na: @\n', 2, /is not valid YAML/],
    ['an open bracket', 'a: [', 1, /is not valid YAML/],
    ['an open quote', 'a: "@', 1, /is not valid YAML/],
    ['tabs for indentation', 'a:\n\t- b', 2, /is not valid YAML/],
    ['two documents', 'a: "@"\n---\nb: "@"', 2, /is not valid YAML/],
  ])('%s', (_, text, line, message) => {
    expect(() => read(text)).toThrow(PolicyError);
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(new RegExp(`^policy\\.yaml, line ${line}: `));
  });

  test('names that mean something to JavaScript are names like others', () => {
    const rules = parsePolicyFile('__proto__: "@"\nconstructor: "@"', 'policy.yaml');
    expect(Object.keys(rules)).toEqual(['__proto__', 'constructor']);
    expect(() => loadPolicy(rules, 'policy.yaml')).toThrow(
      /rule "__proto__": there is no rule with this name/,
    );
  });

  test('a file that expands', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i += 1)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(() => read(lines.join('\n'))).toThrow(/anchors/);
  });

  test('a file that nests without end, and one that is too long', () => {
    expect(() => read('['.repeat(100_000))).toThrow(PolicyError);
    expect(() => read(`${'a: "@"\n'.repeat(200_000)}`)).toThrow(/at most 1048576 characters/);
  });

  test('any text is a file or a PolicyError', () => {
    const piece = fc.constantFrom(
      'a',
      'b:',
      ' ',
      '\n',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '!',
      '@',
      '&x',
      '*x',
      '"',
      "'",
      '#',
      '? ',
      '|',
      '%',
      '---',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(PolicyError);
          }
        },
      ),
      { numRuns: runs(3_000, 800) },
    );
  });
});
