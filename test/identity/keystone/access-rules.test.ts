import { describe, expect, it } from 'vitest';
import { isAllowed, pathMatches } from '../../../src/identity/keystone/access-rules.ts';

describe('the path of an access rule', () => {
  it.each([
    ['/v2/zones', '/v2/zones', true],
    ['/v2/zones', '/v2/zones/', false],
    ['/v2/zones', '/v2/zonesx', false],
    ['/v2/zones', '/x/v2/zones', false],
    ['/v2/zones/*', '/v2/zones/a', true],
    ['/v2/zones/*', '/v2/zones/', false],
    ['/v2/zones/*', '/v2/zones/a/recordsets', false],
    ['/v2/*/a', '/v2/zones/a', true],
    ['/v2/z*s', '/v2/zones', true],
    ['/v2/zones/{zone_id}', '/v2/zones/a', true],
    ['/v2/zones/{zone_id}/recordsets', '/v2/zones/a/recordsets', true],
    ['/v2/zones/{zone_id}', '/v2/zones/a/b', false],
    ['/v2/{}', '/v2/zones', true],
    ['/v2/zones/**', '/v2/zones/a/recordsets/b', true],
    ['/v2/zones/**', '/v2/zones/', true],
    ['/v2/zones/**', '/v2/zones', false],
    ['/v2/zones**', '/v2/zones', true],
    ['**', '', true],
    ['**/recordsets', '/v2/zones/a/recordsets', true],
    ['/v2/***', '/v2/a', true],
    ['/v2/***', '/v2/', false],
    // Every other character is itself, whatever it means in a regular expression.
    ['/v2/zone.', '/v2/zones', false],
    ['/v2/zone.', '/v2/zone.', true],
    ['/v2/zones|.*', '/v2/blacklists', false],
    ['/v2/(zones)?', '/v2/(zones)?', true],
    ['/v2/[z]ones', '/v2/zones', false],
    ['/v2/zo+nes', '/v2/zoones', false],
    ['/v2/{zones', '/v2/{zones', true],
    ['/v2/ä*', '/v2/äö', true],
    ['', '', true],
    ['', '/', false],
  ])('%s and the path %s: %s', (rule, path, verdict) => {
    expect(pathMatches(rule, path)).toBe(verdict);
  });

  it('costs no more than the product of both lengths', () => {
    expect(pathMatches(`${'**a'.repeat(80)}b`, 'a'.repeat(1024))).toBe(false);
    expect(pathMatches('**', 'a'.repeat(1025))).toBe(false);
  });
});

describe('access rules', () => {
  const rules = [
    { service: 'dns', method: 'GET', path: '/v2/zones' },
    { service: 'compute', method: 'POST', path: '/v2/zones' },
  ];

  it('allow what one of them has the service, the method and the path of', () => {
    expect(isAllowed(rules, 'dns', { method: 'GET', path: '/v2/zones' })).toBe(true);
    expect(isAllowed(rules, 'compute', { method: 'POST', path: '/v2/zones' })).toBe(true);
  });

  it('allow nothing that takes parts of two of them', () => {
    expect(isAllowed(rules, 'dns', { method: 'POST', path: '/v2/zones' })).toBe(false);
    expect(isAllowed(rules, 'dns', { method: 'HEAD', path: '/v2/zones' })).toBe(false);
    expect(isAllowed(rules, 'volume', { method: 'GET', path: '/v2/zones' })).toBe(false);
  });

  it('allow nothing where there are none', () => {
    expect(isAllowed([], 'dns', { method: 'GET', path: '/v2/zones' })).toBe(false);
  });
});
