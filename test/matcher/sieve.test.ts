import { describe, expect, test } from 'vitest';
import { prefilterOf } from '../../src/matcher/index/prefilter.ts';
import { symbolsOf } from '../../src/matcher/index/symbols.ts';
import { Union } from '../../src/matcher/index/union.ts';
import { UnionRun } from '../../src/matcher/index/union-run.ts';
import { parsePattern } from '../../src/matcher/syntax/parse.ts';

/** Whether the sieve of a pattern lets a text through; undefined when the pattern has no sieve. */
const sieveOfSource = (source: string) => prefilterOf(parsePattern(source).root);

function letsThrough(source: string, text: string): boolean | undefined {
  const layout = sieveOfSource(source);
  if (layout === undefined) return undefined;
  const union = new Union();
  union.add(1, layout);
  const outcome = new UnionRun(union, 50_000).run(symbolsOf(text), Number.POSITIVE_INFINITY);
  return outcome?.matched.has(1);
}

describe('the sieve of a pattern', () => {
  test.each([
    ['a back-reference is what its group can catch', '([a-c]{2})-\\1', ['ab-ab', 'ab-cc'], ['ab-xy', 'ab']],
    ['in whatever case, where the group minds it', '(?-i:([a-c]))-\\1', ['a-x'], ['-a']],
    ['without the anchors of the group', '(^a)b\\1', ['aba'], ['abc', 'xaba']],
    ['a group within a look-ahead counts, too', '(?=(ab))..\\1', ['xxab'], ['xxa']],
    ['a look-ahead that nothing need follow takes its own place', '(?=.*[0-9]{3})(?=x)', ['a123'], ['a12']],
    ['any other look-around is passed over', 'a(?!b)(?<=a)c', ['ac'], ['ab']],
    ['a conditional is either of its sides', '(a)?(?(1)b|c)d', ['abd', 'cd', 'bd'], ['ad']],
    ['atomic and possessive parts give back', '(?>a+)a++b', ['aab'], ['ab', 'aa']],
    ['a word boundary is passed over', '\\bfoo\\b', ['xfoox'], ['fo']],
  ])('%s', (_, source, through, held) => {
    for (const text of through) expect([text, letsThrough(source, text)]).toEqual([text, true]);
    for (const text of held) expect([text, letsThrough(source, text)]).toEqual([text, false]);
  });

  test('is missing where it would let everything through', () => {
    expect(sieveOfSource('(a*)\\1')).toBeUndefined();
    expect(sieveOfSource('(a)\\1|(?!)')).toBeUndefined();
    expect(sieveOfSource('(?!a)')).toBeUndefined();
  });
});
