import { describe, expect, it } from 'vitest';
import { parseConnection } from '../../../src/storage/postgres/settings.ts';

const addressesOf = (connection: string) => parseConnection(connection).map(({ host, port }) => [host, port]);

describe('a connection string', () => {
  it('names one server, with what is needed to use it', () => {
    expect(parseConnection('postgresql://shop:s%40cret@db.example:6432/zones')).toEqual([
      { host: 'db.example', port: 6432, user: 'shop', password: 's@cret', database: 'zones' },
    ]);
  });

  it.each([
    ['postgres://a/z', [['a', 5432]]],
    [
      'postgresql://u@a:1,b:2,c/z',
      [
        ['a', 1],
        ['b', 2],
        ['c', 5432],
      ],
    ],
    [
      'postgresql://u:p@[::1]:5433,[2001:db8::1]/z',
      [
        ['::1', 5433],
        ['2001:db8::1', 5432],
      ],
    ],
    ['postgresql:///z?host=/run/postgresql', [['/run/postgresql', 5432]]],
  ] as const)('of several servers, such as %s, keeps their order', (connection, addresses) => {
    expect(addressesOf(connection)).toEqual(addresses);
  });

  it('gives each of several servers the same user, database and parameters', () => {
    const servers = parseConnection(
      'postgresql://u:p@a,b/z?application_name=x&target_session_attrs=read-write',
    );
    expect(servers).toHaveLength(2);
    for (const server of servers) {
      expect(server).toMatchObject({ user: 'u', password: 'p', database: 'z', application_name: 'x' });
      expect(server).not.toHaveProperty('target_session_attrs');
    }
  });

  it.each([
    'mysql://a/z',
    'postgresql:/a/z',
    'postgresql://u:geheim@a:0/z',
    'postgresql://u:geheim@a:99999/z',
    'postgresql://u:geheim@a:x/z',
    'postgresql://u:geheim@a b/z',
    'postgresql://u:geheim@a,,b/z?sslrootcert=/nowhere/at/all',
  ])('such as %s is refused, and its password not told', (connection) => {
    let message = '';
    try {
      parseConnection(connection);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^\[storage\] connection cannot be used: /);
    expect(message).not.toContain('geheim');
  });
});
