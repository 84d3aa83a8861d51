import { describe, expect, test } from 'vitest';
import { lintPattern } from '../../src/matcher/lint.ts';
import { isPlainRule } from '../../src/matcher/plain-rule.ts';
import { PatternError } from '../../src/matcher/syntax/error.ts';

const codes = (source: string) => lintPattern(source).map((warning) => warning.code);

describe('the warnings about a pattern', () => {
  test.each([
    ['^example\\.com\\.$'],
    ['^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$'],
    ['(^|\\.)example\\.com\\.$'],
    ['^(.*\\.)?example\\.com\\.$'],
    ['\\.zip\\.$'],
    ['.*\\.zip\\.$'],
    ['(?=.*pay)^[a-z]+\\.com\\.$'],
    ['(?:^|.*\\.)zip\\.$'],
    ['^[a-z0-9][a-z0-9.]*\\.$'],
    ['^(?:one|two)\\.example\\.$|^three\\.example\\.\\Z'],
    ['^münchen\\.de\\.$'],
    ['^(?!www\\.)[a-z]+\\.example\\.net\\.$'],
  ])('say nothing about %s', (source) => {
    expect(lintPattern(source)).toEqual([]);
  });

  test.each([
    ['^example\\.com$', ['no_final_dot']],
    ['^([a-z]+\\.)*example\\.com\\Z', ['no_final_dot']],
    ['$example\\.com\\.^', ['never_matches', 'unanchored', 'unanchored']],
    ['^exa mple\\.com\\.$', ['never_matches']],
    ['^example\\.\\.com\\.$', ['never_matches']],
    ['^-example\\.com\\.$', ['never_matches']],
    ['^com\\.$', ['never_matches']],
    ['^(?-i:A)\\.com\\.$', ['never_matches']],
    ['^[^\\x00-\\U0010ffff]\\.com\\.$', ['never_matches']],
    ['evil', ['unanchored', 'unanchored']],
    ['.*evil.*', ['unanchored', 'unanchored']],
    ['\\.?evil\\.$', ['unanchored']],
    ['^[a-z0-9]', ['unanchored']],
    ['^evil', ['unanchored']],
    ['evil\\.com\\.$', ['unanchored']],
    ['^evil\\.com\\.$|bad', ['unanchored', 'unanchored']],
    ['^example.com\\.$', ['unescaped_dot']],
    ['^(([a-z])+.)+evil\\.$', ['unescaped_dot']],
    ['.*', ['matches_every_name']],
    ['^.+\\.$', ['matches_every_name']],
    ['', ['matches_every_name']],
    ['[a-z0-9]', ['matches_every_name']],
    ['^(?!(.*\\.)?allowed\\.com\\.$)', ['matches_every_name']],
    ['^([a-z]+)\\.\\1\\.com\\.$', ['slow']],
    ['^[[:alnum:]]+\\.com\\.$', ['posix_class', 'never_matches']],
    ['^[^[:space:]]+\\.com\\.$', ['posix_class', 'never_matches']],
    ['^[:alpha:]+\\.com\\.$', ['posix_class']],
    ['^(a)?(?(1)b|c)\\.com\\.$', ['slow']],
  ])('say of %s: %j', (source, expected) => {
    expect(codes(source)).toEqual(expected);
  });

  test.each([
    ['^zu\u0308rich\\.ch\\.$', 'decomposed'],
    ['^zu\\u0308rich\\.ch\\.$', 'decomposed'],
    ['(^|\\.)(?:b|zu\u0308rich)\\.ch\\.$', 'decomposed'],
    ['^\uff42\uff41\uff4e\uff4b\\.ch\\.$', 'compatibility_form'],
    ['^xn--bcher-kva\\.münchen\\.de\\.$', 'mixed_labels'],
  ])('say of %s that no name is written so: %s', (source, code) => {
    expect(codes(source)).toEqual([code]);
  });

  test.each([['^zürich\\.ch\\.$'], ['^xn--zrich-kva\\.ch\\.$'], ['^(xn--zrich-kva|zürich)\\.ch\\.$']])(
    'say nothing about %s, which is written as names are',
    (source) => {
      expect(codes(source)).toEqual([]);
    },
  );

  test('are the same for the patterns of long lists whether they are read the short way or the long', () => {
    const beginnings = [
      '^',
      '^([A-Za-z0-9_\\-]+\\.)*',
      '^([a-z0-9_-]+\\.)*',
      '^(.*\\.)?',
      '^(?:.*\\.)?',
      '(^|\\.)',
      '(?:^|\\.)',
      '',
    ];
    const names = [
      'a',
      'com\\.',
      'a\\.b\\.',
      '-a\\.b\\.',
      'a-\\.b\\.',
      'a--b\\.C9\\.',
      'a.b\\.',
      'a\\.\\.b\\.',
      `${'x'.repeat(64)}\\.b\\.`,
    ];
    let plain = 0;
    for (const source of beginnings.flatMap((start) =>
      names.flatMap((end) => [`${start}${end}$`, start + end]),
    )) {
      if (isPlainRule(source)) plain++;
      expect([source, codes(source)]).toEqual([source, codes(`${source}(?#)`)]);
    }
    expect(plain).toBeGreaterThan(15);
  });

  test('are sentences', () => {
    const messages = ['^a', 'a.$', '^a$', '.*', '^(a)\\1\\.$', '^ $']
      .flatMap(lintPattern)
      .map(({ message }) => message);
    expect(messages.length).toBeGreaterThan(6);
    for (const message of messages) expect(message).toMatch(/^[A-Z].*[.]$/);
  });

  test('are not given for what is no pattern', () => {
    expect(() => lintPattern('(')).toThrow(PatternError);
  });
});
