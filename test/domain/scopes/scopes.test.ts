import { describe, expect, it } from 'vitest';
import type { Fqdn, OwnerName } from '../../../src/dns/names.ts';
import { scopeShape, scopeToJson } from '../../../src/domain/scopes/scope-shape.ts';
import { readAs } from '../../../src/domain/shapes/shape.ts';
import { DomainError } from '../../../src/model/errors.ts';
import {
  allowsAction,
  type CredentialScope,
  refusingKey,
  SCOPE_KEYS,
  type ScopedRequest,
} from '../../../src/model/scopes/credential-scope.ts';
import { firstKeyTooWide } from '../../../src/model/scopes/narrowing.ts';

const SHOP = { id: '8a5f0000-0000-4000-8000-000000000001', name: 'shop.example.org.' as Fqdn };
const BLOG = { id: '8a5f0000-0000-4000-8000-000000000002', name: 'blog.shop.example.org.' as Fqdn };
const NAMES = new Map([SHOP, BLOG].map(({ id, name }) => [id, name]));

const shape = scopeShape(SCOPE_KEYS);
const read = (given: unknown) => readAs(shape, given);
const scopeOf = (given: unknown): CredentialScope => read(given) ?? {};

function faultsOf(given: unknown) {
  try {
    read(given);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.faults.map(({ path }) => path.join('.'));
    throw error;
  }
}

const FULL = {
  zones: [SHOP.id, '*.shop.example.org.'],
  names: ['_acme-challenge.**', '@'],
  types: ['TXT', 'TYPE65280'],
  actions: ['create', 'update', 'delete'],
  networks: ['192.0.2.0/24', '2001:db8::/32', '203.0.113.9'],
  rate: { writes: 10, per_seconds: 3600 },
  record_lifetime: 3600,
};

describe('a scope', () => {
  it('is shown as it was given, in canonical form', () => {
    expect(JSON.parse(JSON.stringify(scopeToJson(scopeOf(FULL))))).toEqual(FULL);
    const typed = {
      zones: [SHOP.id.toUpperCase(), 'SHOP.example.org.'],
      networks: ['2001:DB8:0::/32'],
      types: ['TYPE16'],
    };
    expect(JSON.parse(JSON.stringify(scopeToJson(scopeOf(typed))))).toEqual({
      zones: [SHOP.id, 'shop.example.org.'],
      networks: ['2001:db8::/32'],
      types: ['TXT'],
    });
  });

  it('is none if it is null or empty', () => {
    expect([read(null), read({})]).toEqual([null, null]);
  });

  it.each([
    ['zones', []],
    ['zones', ['example.org']],
    ['zones', ['**.a.**.']],
    ['names', ['www.']],
    ['names', Array.from({ length: 65 }, (_, index) => `n${index}`)],
    ['names', ['a', 'A']],
    ['types', ['A', 'NOPE']],
    ['types', ['ANY']],
    ['actions', ['write']],
    ['networks', ['192.0.2.0/33']],
    ['networks', ['192.0.2.1/24/1']],
    ['networks', ['::ffff:192.0.2.1']],
    ['networks', ['fe80::1%eth0']],
    ['networks', 'all'],
    ['rate', { writes: 1 }],
    ['rate', { writes: 0, per_seconds: 60 }],
    ['rate', { writes: 10_001, per_seconds: 86_401 }],
    ['record_lifetime', 59],
    ['record_lifetime', 31_536_001],
    ['record_lifetime', '60'],
    ['address', ['192.0.2.1']],
    ['__proto__', {}],
  ])('is refused with %s %j', (key, value) => {
    expect(
      faultsOf(JSON.parse(`{"${key}": ${JSON.stringify(value)}}`)).every((path) => path.startsWith(key)),
    ).toBe(true);
    expect(faultsOf(JSON.parse(`{"${key}": ${JSON.stringify(value)}}`)).length).toBeGreaterThan(0);
  });

  it('is refused when it is no object or has more than 16 KiB', () => {
    for (const given of [1, 'all', [], true]) expect(faultsOf(given)).toEqual(['']);
    const label = 'x'.repeat(60);
    const long = Array.from({ length: 64 }, (_, index) =>
      Array.from({ length: 128 }, () => `${label}${index}`).join('.'),
    );
    expect(faultsOf({ names: long })).toEqual(['']);
    expect(faultsOf({ names: long.map((name) => name.slice(0, 200)) })).toEqual([]);
  });
});

describe('what a scope refuses', () => {
  const at = (name: string): ScopedRequest => ({ zone: SHOP, name: name as OwnerName });

  it('is named by the first key', () => {
    const scope = scopeOf(FULL);
    const good = {
      ...at('_acme-challenge.www.shop.example.org.'),
      type: 'TXT',
      action: 'update',
      address: '192.0.2.7',
    } as const;
    expect(refusingKey(scope, good)).toBeUndefined();
    expect(refusingKey(scope, { ...good, zone: { ...SHOP, id: BLOG.id } })).toBe('zones');
    expect(refusingKey(scope, { ...good, zone: BLOG, name: 'www.blog.shop.example.org.' as OwnerName })).toBe(
      'names',
    );
    expect(refusingKey(scope, { ...good, type: 'A' })).toBe('types');
    expect(refusingKey(scope, { ...good, action: 'delete_zone' })).toBe('actions');
    expect(refusingKey(scope, { ...good, address: '198.51.100.1' })).toBe('networks');
    expect(refusingKey(scope, { ...good, address: '::ffff:192.0.2.7' })).toBeUndefined();
    expect(refusingKey(scope, { ...at('shop.example.org.'), type: 'TXT' })).toBeUndefined();
  });

  it('does not take a name for one of the zone because it ends alike', () => {
    expect(refusingKey(scopeOf({ names: ['**'] }), at('www.myshop.example.org.'))).toBe('names');
  });

  it('of a dry run is decided as if the writing actions were there', () => {
    const planner = scopeOf({ actions: ['plan'] });
    expect([allowsAction(planner, 'create'), allowsAction(planner, 'create', true)]).toEqual([false, true]);
    expect(allowsAction(planner, 'create_zone', true)).toBe(false);
    expect(allowsAction(planner, 'read')).toBe(true);
  });
});

describe('a narrower scope', () => {
  const keyOf = (inner: unknown, outer: unknown) => firstKeyTooWide(scopeOf(inner), scopeOf(outer), NAMES);

  it('has every key of the wider one, in the order of the keys', () => {
    expect(keyOf(FULL, FULL)).toBeUndefined();
    expect(keyOf(FULL, {})).toBeUndefined();
    expect(keyOf({}, FULL)).toBe('zones');
    for (const [index, key] of SCOPE_KEYS.entries()) {
      const rest = Object.fromEntries(Object.entries(FULL).filter(([other]) => other !== key));
      expect(keyOf(rest, FULL)).toBe(key);
      const former = Object.fromEntries(SCOPE_KEYS.slice(0, index).map((one) => [one, FULL[one]]));
      expect(keyOf(former, FULL)).toBe(key);
    }
  });

  it.each([
    ['zones', [BLOG.id], ['*.shop.example.org.'], true],
    ['zones', [SHOP.id], ['*.shop.example.org.'], false],
    ['zones', ['8a5f0000-0000-4000-8000-000000000009'], ['**.'], false],
    ['zones', ['blog.shop.example.org.'], [BLOG.id], false],
    ['zones', [BLOG.id], [BLOG.id, SHOP.id], true],
    ['names', ['**'], ['@', '*.**'], false],
    ['names', ['@'], ['**'], true],
    ['types', ['A'], ['AAAA', 'A'], true],
    ['types', ['A', 'MX'], ['AAAA', 'A'], false],
    ['networks', ['192.0.2.128/25'], ['192.0.2.0/24'], true],
    ['networks', ['192.0.2.1'], ['192.0.2.1/32'], true],
    ['networks', ['192.0.2.0/23'], ['192.0.2.0/24'], false],
    ['networks', ['10.0.0.0/8'], ['::/0'], false],
    ['networks', ['2001:db8:1::/48'], ['2001:db8::/32', '10.0.0.0/8'], true],
    ['rate', { writes: 10, per_seconds: 60 }, { writes: 10, per_seconds: 60 }, true],
    ['rate', { writes: 5, per_seconds: 30 }, { writes: 10, per_seconds: 60 }, false],
    ['record_lifetime', 60, 61, true],
    ['record_lifetime', 62, 61, false],
  ])('%s %j within %j: %s', (key, inner, outer, isWithin) => {
    expect(keyOf({ [key]: inner }, { [key]: outer })).toBe(isWithin ? undefined : key);
  });

  it('never allows what the wider one refuses', () => {
    const choices = {
      zones: [undefined, [SHOP.id], [BLOG.id], ['*.shop.example.org.'], ['**.example.org.', BLOG.id]],
      names: [undefined, ['@'], ['**'], ['*'], ['www'], ['*.www', '@'], ['**.www']],
      types: [undefined, ['A'], ['A', 'TXT']],
      actions: [undefined, ['create'], ['plan'], ['create', 'delete']],
      networks: [undefined, ['192.0.2.1'], ['192.0.2.0/24'], ['::/0', '192.0.2.0/30']],
    };
    const scopes = Object.entries(choices).reduce<Record<string, unknown>[]>(
      (all, [key, values]) =>
        all.flatMap((scope) =>
          values.map((value) => (value === undefined ? scope : { ...scope, [key]: value })),
        ),
      [{}],
    );
    // Some of them: all pairs would take minutes.
    const some = (step: number) => scopes.filter((_, index) => index % step === 0).map(scopeOf);
    const requests: ScopedRequest[] = [SHOP, BLOG].flatMap((zone) =>
      ['', 'www.', 'a.www.', 'a.b.'].flatMap((prefix) =>
        ['A', 'TXT', 'MX'].flatMap((type) =>
          (['create', 'delete', 'read'] as const).flatMap((action) =>
            ['192.0.2.1', '192.0.2.9', '2001:db8::1'].map((address) => ({
              zone,
              name: `${prefix}${zone.name}` as OwnerName,
              type,
              action,
              address,
            })),
          ),
        ),
      ),
    );
    let compared = 0;
    for (const inner of some(41)) {
      for (const outer of some(37)) {
        if (firstKeyTooWide(inner, outer, NAMES) !== undefined) continue;
        compared += 1;
        const wrong = requests.filter(
          (request) => refusingKey(outer, request) && !refusingKey(inner, request),
        );
        expect(wrong).toEqual([]);
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});
