import { describe, expect, it } from 'vitest';
import { connection, withoutPassword } from '../../src/config/connection.ts';
import { neverTrue, origin, secret } from '../../src/config/keystone-options.ts';
import {
  address,
  choice,
  flag,
  hostName,
  httpUrl,
  InvalidValueError,
  integer,
  listOf,
  network,
  type OptionKind,
  required,
  text,
} from '../../src/config/kinds.ts';

/** For each kind: texts with the values that they are read as, and texts that are refused. */
const TABLE: readonly {
  readonly kind: OptionKind<unknown>;
  readonly taken: readonly (readonly [text: string, value: unknown])[];
  readonly refused: readonly string[];
}[] = [
  {
    kind: text,
    taken: [
      ['', ''],
      ['a b', 'a b'],
      ['größe = #1', 'größe = #1'],
    ],
    refused: [' a', 'a ', 'a\nb', 'a\tb', 'a\u0000'],
  },
  {
    kind: required('folder'),
    taken: [['./data', './data']],
    refused: ['', ' ', 'a\nb'],
  },
  {
    kind: integer(-1, 2147483647),
    taken: [
      ['-1', -1],
      ['0', 0],
      ['007', 7],
      ['2147483647', 2147483647],
    ],
    refused: ['', ' 1', '+1', '-2', '1.0', '1e3', '0x10', '1_000', '2147483648', '9'.repeat(400), '١'],
  },
  {
    kind: flag,
    taken: [
      ['true', true],
      ['True', true],
      ['1', true],
      ['on', true],
      ['no', false],
      ['FALSE', false],
      ['0', false],
    ],
    refused: ['', ' true', 'maybe', '2'],
  },
  { kind: neverTrue, taken: [['False', false]], refused: ['true', 'maybe', ''] },
  { kind: secret, taken: [['a b#1', 'a b#1']], refused: ['a\nb', ' a'] },
  {
    kind: origin,
    taken: [
      ['*', '*'],
      ['https://console.example.com', 'https://console.example.com'],
      ['http://[::1]:8080', 'http://[::1]:8080'],
    ],
    refused: [
      '',
      'null',
      'console.example.com',
      'https://a/',
      'https://a:443',
      'HTTPS://a',
      'https://a/b',
      'file:///',
    ],
  },
  {
    kind: choice(['401', '403']),
    taken: [['403', '403']],
    refused: ['', '404', ' 401', '401,403'],
  },
  {
    kind: listOf(integer(1, 9)),
    taken: [
      ['', []],
      [' , ,', []],
      ['3', [3]],
      ['3, 1,3 ,', [3, 1]],
    ],
    refused: ['0', '1,x', '1;2', '1 2'],
  },
  {
    kind: listOf(integer(1, 9), 1),
    taken: [['1', [1]]],
    refused: ['', ','],
  },
  {
    kind: address,
    taken: [
      ['127.0.0.1:9001', { host: '127.0.0.1', port: 9001 }],
      ['dns.example.com:0', { host: 'dns.example.com', port: 0 }],
      ['[::1]:65535', { host: '::1', port: 65535 }],
    ],
    refused: [
      '',
      ':9001',
      '9001',
      'localhost',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '127.0.0.1:-1',
      '::1:9001',
      '[::1]',
      '[127.0.0.1]:80',
      '[:::]:80',
      'http://localhost:80',
      'a b:80',
      'a:80\n',
    ],
  },
  {
    kind: httpUrl,
    taken: [
      ['', ''],
      ['https://dns.example.com', 'https://dns.example.com'],
      ['http://[::1]:9001/base//', 'http://[::1]:9001/base'],
    ],
    refused: [
      'dns.example.com',
      'ftp://dns.example.com',
      'https:dns.example.com',
      'https:/dns.example.com',
      'https://',
      'https://h:65536',
      'https://h/?',
      'https://h/?a=b',
      'https://h/#',
      'https://user@h',
      'https://:password@h',
      ' https://h',
      'https://h/a b',
      'https://h/\r\nLocation: x',
      'https://h\\a',
      'https://münchen.de',
    ],
  },
  {
    kind: network,
    taken: [
      ['10.0.0.1', '10.0.0.1'],
      ['10.0.0.0/8', '10.0.0.0/8'],
      ['10.0.0.1/32', '10.0.0.1/32'],
      ['fd00::/8', 'fd00::/8'],
      ['::1/128', '::1/128'],
    ],
    refused: [
      '',
      'localhost',
      'loopback',
      '10.0.0',
      '010.0.0.1',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0.0/255.0.0.0',
      '::/129',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/08',
    ],
  },
  {
    kind: hostName,
    taken: [
      ['NS1.Example.com.', 'ns1.example.com.'],
      ['ns.münchen.de.', 'ns.xn--mnchen-3ya.de.'],
    ],
    refused: ['', 'ns1.example.com', 'ns1.', '*.example.com.', 'ns1..com.', '-a.example.', 'a b.example.'],
  },
];

describe('a connection string', () => {
  it.each([
    '',
    'postgresql://db.example/zones',
    'postgres://shop:ge%2Fheim@a:1,[::1]:2/zones?sslmode=require',
    'postgresql:///zones?host=/run',
    'postgresql://shop:geh@eim@a/zones',
  ])('%j is taken as it is', (text) => {
    expect(connection.read(text)).toBe(text);
  });

  it.each([
    'mysql://a/b',
    'postgresql://shop:ge/heim@a/zones',
    'postgresql://shop:ge?heim@a/zones',
    'postgresql://shop:ge#heim@a/zones',
    'postgresql://a:b/zones',
    'postgresql://a/zones#b',
    'postgresql://gehéim@a/zones',
  ])('%j is refused without being repeated', (text) => {
    expect(() => connection.read(text)).toThrow(InvalidValueError);
    expect(() => connection.read(text)).toThrow(/^Must be postgresql:[^é]*%2F, %3F, %23 and %40/);
  });
});

describe.each(TABLE)('an option of the kind "$kind.name"', ({ kind, taken, refused }) => {
  it.each(taken)('reads %j as %j', (text, value) => {
    expect(kind.read(text)).toEqual(value);
  });

  it.each(refused)('refuses %j with a sentence that says what to write', (text) => {
    expect(() => kind.read(text)).toThrow(InvalidValueError);
    expect(() => kind.read(text)).toThrow(/^[A-Z].*\.$/);
  });
});

it.each([
  ['', ''],
  ['postgresql://db.example/zones', 'postgresql://db.example/zones'],
  ['postgresql://shop@db.example:5433/zones', 'postgresql://shop@db.example:5433/zones'],
  [
    'postgresql://shop:geheim@a:1,b:2/zones?application_name=x%40y',
    'postgresql://shop@a:1,b:2/zones?application_name=x%40y',
  ],
  ['postgres://shop:geh@eim:1@[::1]:5433/zones', 'postgres://shop@[::1]:5433/zones'],
  ['postgresql://:geheim@a/zones', 'postgresql://@a/zones'],
  ['postgresql:///zones?host=/run&password=geheim', 'postgresql:///zones?host=/run'],
  ['postgresql:///zones?password=geheim&host=/run', 'postgresql:///zones?host=/run'],
  ['postgresql://a/zones?sslmode=require&sslpassword=geheim', 'postgresql://a/zones?sslmode=require'],
  ['postgresql://a/zones?p%61ssword=geheim', 'postgresql://a/zones'],
  ['postgresql://a/zones?PASSWORD=geheim&passfile=/geheim', 'postgresql://a/zones'],
  ['postgresql://a/zones?sslmode=require;password=geheim', 'postgresql://a/zones'],
  ['postgresql://shop:ge%2Fhe%3Fim%23@a/zones', 'postgresql://shop@a/zones'],
  // Nothing is shown of what cannot be read as a whole; such an option is refused before.
  ['postgresql://shop:ge/heim@a/zones', ''],
  ['postgresql://shop:ge?heim@a/zones', ''],
  ['postgresql://shop:ge#heim@a/zones', ''],
  ['postgresql://shop:12/heim@a/zones', ''],
  ['postgresql://shop:12?heim@a/zones', ''],
  ['postgresql://shop:12#heim@a/zones', ''],
])('%s is shown without its password', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});
