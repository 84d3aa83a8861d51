import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  conditionsOf,
  etagOf,
  preconditionOf,
  replyWithEtag,
} from '../../src/http/edge/conditional-requests.ts';
import { EdgeError } from '../../src/http/edge/errors.ts';
import { tagged } from '../../src/http/edge/route.ts';
import { countable, expectLinear } from '../support/linear.ts';
import { runs } from '../support/runs.ts';

const STATE = { id: 'a', description: null };
const ETAG = etagOf(STATE);
const asIs = tagged((state: object) => state);

const holds = (method: 'GET' | 'PATCH', headers: Record<string, string>): boolean =>
  preconditionOf({ method, tagged: asIs }, conditionsOf(headers))?.holds(STATE) ?? true;
const answerTo = (headers: Record<string, string>) =>
  replyWithEtag({ method: 'GET', tagged: asIs }, conditionsOf(headers), { status: 200, body: STATE });

const etagc = fc
  .oneof(fc.constant(0x21), fc.integer({ min: 0x23, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
  .map((code) => String.fromCharCode(code));
const opaque = fc.array(etagc, { maxLength: 8 }).map((parts) => `"${parts.join('')}"`);
const separator = fc.constantFrom(',', ', ', ' ,', '\t,\t', ',,', ', ,');
const tag = fc.record({ isWeak: fc.boolean(), opaque });

describe('an ETag', () => {
  it('is strong, and the same exactly for states that are equal but for what is left out', () => {
    const field = fc.constantFrom('id', 'ttl', 'records', 'links', 'hits', 'exhausted', 'warnings');
    const state = fc.dictionary(field, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    const told = ({ links, hits, exhausted, warnings, ...rest }: Record<string, unknown>) =>
      JSON.stringify(rest);
    fc.assert(
      fc.property(state, state, (one, other) => {
        expect(etagOf(one)).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
        expect(etagOf(one) === etagOf(other)).toBe(told(one) === told(other));
        expect(etagOf({ ...one, links: 'elsewhere', hits: 1, exhausted: 2, warnings: [] })).toBe(etagOf(one));
      }),
      { numRuns: runs(500, 200) },
    );
  });
});

describe('If-Match', () => {
  it('holds for any list that has the ETag among its strong tags, and for no other', () => {
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 6 }), separator, fc.nat(5), (tags, by, place) => {
        const write = (list: typeof tags) =>
          list.map(({ isWeak, opaque }) => `${isWeak ? 'W/' : ''}${opaque}`).join(by);
        expect(holds('PATCH', { 'if-match': write(tags) })).toBe(false);
        const weak = [...tags.slice(0, place), { isWeak: true, opaque: ETAG }, ...tags.slice(place)];
        expect(holds('PATCH', { 'if-match': write(weak) })).toBe(false);
        const strong = [...tags.slice(0, place), { isWeak: false, opaque: ETAG }, ...tags.slice(place)];
        expect(holds('PATCH', { 'if-match': write(strong) })).toBe(true);
      }),
      { numRuns: runs(300, 150) },
    );
  });

  it.each([`${ETAG},`, `,${ETAG}`, ` , ,${ETAG} , `, '*', `"a,b", ${ETAG}`])('holds for %j', (text) => {
    expect(holds('PATCH', { 'if-match': text })).toBe(true);
  });

  it.each([
    '',
    ',',
    'a',
    '"a',
    'a"',
    `*, ${ETAG}`,
    `${ETAG}, *`,
    '**',
    `w/${ETAG}`,
    `W/ ${ETAG}`,
    `W / ${ETAG}`,
    `${ETAG} ${ETAG}`,
    `${ETAG}${ETAG}`,
    `${ETAG}; q=1`,
    '"a b"',
    '"a\u007f"',
    ETAG.slice(1, -1),
    `'${ETAG.slice(1, -1)}'`,
  ])('is malformed, as is If-None-Match: %j', (text) => {
    for (const name of ['if-match', 'if-none-match']) {
      const ask = () => conditionsOf({ [name]: text });
      expect(ask).toThrow(EdgeError);
      expect(ask).toThrow(/^If-(None-)?Match: send ETags as returned, including the quotes, or \*\.$/);
    }
  });
});

describe('a long If-Match', () => {
  let counted: typeof import('../../src/http/edge/conditional-requests.ts');
  beforeAll(() =>
    countable(async () => {
      counted = await import('../../src/http/edge/conditional-requests.ts');
    }),
  );

  it.each(['"', '" ', '"",', ' ', ', ', 'W/"'])(
    'is read with work that grows with its length, however it repeats %j',
    (piece) => {
      expectLinear((size) => {
        try {
          counted.conditionsOf({ 'if-match': `"a", ${piece.repeat(size)}x` });
        } catch (error) {
          expect(error).toMatchObject({ message: expect.stringMatching(/^If-Match: /) });
        }
      }, 2 ** 15);
    },
  );
});

describe('If-None-Match', () => {
  it('makes the answer to a read 304, also for a weak tag of what it shows', () => {
    for (const text of [ETAG, `W/${ETAG}`, `"a", W/${ETAG}`, '*']) {
      expect(answerTo({ 'if-none-match': text })).toMatchObject({ status: 304, headers: { etag: ETAG } });
    }
    expect(answerTo({ 'if-none-match': '"a", W/"b"' })).toEqual({
      status: 200,
      headers: { etag: ETAG },
      body: STATE,
    });
  });

  it('lets a read go on, and a change only where the ETag is another one', () => {
    for (const text of [ETAG, `W/${ETAG}`, '*']) {
      expect(holds('GET', { 'if-none-match': text })).toBe(true);
      expect(holds('PATCH', { 'if-none-match': text })).toBe(false);
    }
    expect(holds('PATCH', { 'if-none-match': '"a"' })).toBe(true);
    expect(holds('PATCH', { 'if-none-match': '"a"', 'if-match': '"b"' })).toBe(false);
    expect(holds('PATCH', { 'if-none-match': '"a"', 'if-match': ETAG })).toBe(true);
  });
});
