import { describe, expect, it } from 'vitest';
import { parseZoneName } from '../../../src/dns/names.ts';
import {
  choice,
  dictionary,
  emptyList,
  integer,
  list,
  nullable,
  object,
  parsed,
  readAs,
  type Shape,
  text,
} from '../../../src/domain/shapes/shape.ts';
import type { Fault } from '../../../src/model/errors.ts';

const short = text((given) => (given.length > 3 ? 'Use at most 3 characters.' : undefined), { maxLength: 3 });
const person = object(
  { name: short },
  {
    age: nullable(integer({ minimum: 0, maximum: 150 })),
    zone: parsed(parseZoneName),
    roles: list(choice(['reader', 'member'], 'A role is reader or member.')),
    notes: dictionary(short, (keys) => (keys.length > 2 ? 'Use at most 2 notes.' : undefined)),
    friends: emptyList('There are no friends here.'),
  },
);

function faultsOf(shape: Shape<NonNullable<unknown>>, given: unknown): readonly Fault[] {
  try {
    readAs(shape, given);
  } catch (error) {
    return (error as { faults: readonly Fault[] }).faults;
  }
  return [];
}

/** A JSON text as a body brings it, own keys such as __proto__ included. */
const json = (body: string): unknown => JSON.parse(body);

describe('a shape', () => {
  it('reads a value as what it stands for', () => {
    const given = { name: 'eve', age: null, zone: 'Example.COM.', roles: ['member'], notes: { a: 'x' } };
    expect(readAs(person, given)).toEqual({ ...given, zone: 'example.com.' });
    expect(readAs(person, { name: 'eve' })).toEqual({ name: 'eve' });
  });

  it('tells all faults at once, each where it is', () => {
    const given = {
      name: 'long name',
      age: -1,
      zone: 'no-dot',
      roles: ['reader', 'king', 5],
      notes: { a: 'x', b: 'long text', c: 'y' },
      friends: [1],
      colour: 'red',
    };
    const faults = faultsOf(person, given).map(({ path, message }) => [path.join('.'), message]);
    expect(faults).toEqual([
      ['name', 'Use at most 3 characters.'],
      ['age', 'Must be at least 0.'],
      ['zone', 'A zone name must end with a dot, such as "example.com.".'],
      ['roles.1', 'A role is reader or member.'],
      ['roles.2', 'Must be a string.'],
      ['notes.b', 'Use at most 3 characters.'],
      ['notes', 'Use at most 2 notes.'],
      ['friends', 'There are no friends here.'],
      ['colour', 'This key is unknown or read-only. Remove it.'],
    ]);
    expect(faultsOf(person, {})).toEqual([{ path: ['name'], message: 'This key is required.' }]);
  });

  it.each<[string, Shape<NonNullable<unknown>>, readonly string[]]>([
    ['object', person, ['null', '[]', '"x"', '5', 'true']],
    ['object', object({}, {}), ['null', '[]']],
    ['array', list(short), ['null', '{}', '"x"', '5']],
    ['array', emptyList(''), ['null', '{}', '"x"', '5']],
    ['string', short, ['null', '{}', '[]', '5', 'false']],
    ['integer', integer({ minimum: 0, maximum: 5 }), ['null', '{}', '"1"', '1.5', '1e400', 'true']],
  ])('of type %s takes no other type', (type, shape, others) => {
    for (const other of others) {
      const message = `Must be ${/^[aio]/.test(type) ? 'an' : 'a'} ${type}.`;
      expect([other, faultsOf(shape, json(other))]).toEqual([other, [{ path: [], message }]]);
    }
  });

  it('names null among the types where null is a value', () => {
    const shape = object({ age: nullable(integer({ minimum: 0, maximum: 5 })) }, {});
    const [fault] = faultsOf(shape, { age: '5' });
    expect(fault).toEqual({ path: ['age'], message: 'Must be an integer or null.' });
  });

  it('takes keys that objects have by nature for what they are: unknown, or as good as any other', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const [fault, ...more] = faultsOf(person, json(`{"name": "eve", "${key}": "x"}`));
      expect([fault?.path, more]).toEqual([[key], []]);
    }
    const notes = readAs(
      dictionary(short, () => undefined),
      json('{"__proto__": "x"}'),
    );
    expect(Object.entries(notes)).toEqual([['__proto__', 'x']]);
  });

  it('is its JSON Schema', () => {
    const string = { type: 'string', maxLength: 3 };
    expect(person.schema).toEqual({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: string,
        age: { type: ['integer', 'null'], minimum: 0, maximum: 150 },
        zone: { type: 'string' },
        roles: { type: 'array', items: { type: 'string', enum: ['reader', 'member'] } },
        notes: { type: 'object', additionalProperties: string },
        friends: { type: 'array', maxItems: 0 },
      },
    });
  });
});

describe('of a body with very many faults', () => {
  it('the first hundred are told, and that there are more', () => {
    const told = faultsOf(list(short), Array(100).fill(5));
    expect(told.map(({ path }) => path.join())).toEqual(Array.from({ length: 100 }, (_, at) => String(at)));
    const faults = faultsOf(list(short), Array(101).fill(5));
    expect(faults.slice(0, 100)).toEqual(told);
    expect(faults.slice(100)).toEqual([{ path: [], message: 'Only the first 100 errors are listed.' }]);
  });

  it('the rest is not read', () => {
    let read = 0;
    const counting = text(() => {
      read += 1;
      return 'Never good.';
    });
    expect(faultsOf(list(counting), Array(100_000).fill('x'))).toHaveLength(101);
    const members = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, 'x']));
    expect(
      faultsOf(
        dictionary(counting, () => undefined),
        members,
      ),
    ).toHaveLength(101);
    expect(
      faultsOf(object({}, { first: list(counting), second: list(counting) }), {
        first: Array(1000).fill('x'),
        second: Array(1000).fill('x'),
      }),
    ).toHaveLength(101);
    expect(read).toBe(303);
  });
});
