import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FittingLabels } from '../../src/matcher/index/fitting-labels.ts';
import { GramIndex } from '../../src/matcher/index/gram-index.ts';
import { HashKey } from '../../src/matcher/index/hash-key.ts';
import { BoundedCache } from '../../src/matcher/index/kept.ts';
import { KeyLists, NO_KEYS } from '../../src/matcher/index/key-lists.ts';
import { StringTable } from '../../src/matcher/index/string-table.ts';
import { PreparedName } from '../../src/matcher/index/subject.ts';

const encoder = new TextEncoder();
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), maxLength: 5 });
const change = fc.record({
  text,
  mode: fc.integer({ min: 0, max: 3 }),
  key: fc.integer({ min: 1, max: 6 }),
  add: fc.boolean(),
});

function keysIn(table: StringTable, key: HashKey, string: string): Map<number, number[]> {
  const bytes = encoder.encode(string);
  const hash = key.hash(bytes, 0, bytes.length);
  const found = new Map<number, number[]>();
  for (let slot = table.seek(hash, bytes, 0, bytes.length, hash); slot >= 0; ) {
    const entry = table.entryAt(hash, slot);
    found.set(table.modeOf(entry), [...table.lists.all(table.heldBy(entry))]);
    slot = table.seek(hash, bytes, 0, bytes.length, slot + 1);
  }
  return found;
}

interface Change {
  readonly text: string;
  readonly mode: number;
  readonly key: number;
}

/** A table, and a plain model of it. */
class Both {
  private readonly key = new HashKey();
  private readonly table = new StringTable(this.key);
  private readonly model = new Map<string, number[]>();

  add({ text: string, mode, key }: Change): void {
    const bytes = encoder.encode(string);
    this.table.add(bytes, 0, bytes.length, mode, key);
    this.model.set(`${mode}${string}`, [...(this.model.get(`${mode}${string}`) ?? []), key].sort());
  }

  remove({ text: string, mode, key }: Change): void {
    const held = this.model.get(`${mode}${string}`) ?? [];
    if (!held.includes(key)) return;
    const bytes = encoder.encode(string);
    this.table.remove(bytes, 0, bytes.length, mode, key);
    held.splice(held.indexOf(key), 1);
    if (held.length === 0) this.model.delete(`${mode}${string}`);
  }

  compare(changes: readonly Change[]): void {
    expect(this.table.count).toBe(this.model.size);
    for (const { text: string, mode } of changes) {
      expect(keysIn(this.table, this.key, string).get(mode)).toEqual(this.model.get(`${mode}${string}`));
    }
  }
}

describe('the table of strings', () => {
  test('holds what has been added and not removed, by string and mode', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400, size: 'max' }), (changes) => {
        const both = new Both();
        for (const each of changes) {
          if (each.add) both.add(each);
          else both.remove(each);
        }
        both.compare(changes);
      }),
    );
  });

  test('gives room back: as many strings again take no more of it', () => {
    const table = new StringTable(new HashKey());
    const strings = Array.from({ length: 5000 }, (_, i) => encoder.encode(`name${i}.example.`));
    for (const bytes of strings) table.add(bytes, 0, bytes.length, 1, 1);
    const { memory } = table;
    for (let round = 0; round < 5; round++) {
      for (const bytes of strings) table.remove(bytes, 0, bytes.length, 1, 1);
      expect(table.count).toBe(0);
      for (const bytes of strings) table.add(bytes, 0, bytes.length, 1, 1);
    }
    expect(table.memory).toBe(memory);
  });
});

function changeList(changes: readonly (readonly [key: number, add: boolean])[]): void {
  const lists = new KeyLists();
  let held = NO_KEYS;
  let model: number[] = [];
  for (const [key, add] of changes) {
    held = add ? lists.add(held, key) : lists.remove(held, key);
    const at = model.indexOf(key);
    model = add ? [...model, key].sort() : model.filter((_, i) => i !== at);
    expect(lists.all(held)).toEqual(model);
    expect(lists.first(held)).toBe(model[0] ?? 0);
  }
}

describe('lists of keys', () => {
  test('are sorted, and hold a key as often as it was added', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean())), changeList));
  });
});

function fillAndEmpty(added: readonly (readonly [gram: number, length: number])[]): void {
  const grams = new GramIndex(new HashKey(), 4);
  for (const [gram, length] of added) grams.add(gram, length);
  for (const [gram, length] of added) {
    expect(grams.passes(gram)).toBe(true);
    expect(grams.lengthsAt(grams.find(gram), length >>> 5) & (1 << (length & 31))).not.toBe(0);
  }
  for (const [gram, length] of added) grams.remove(gram, length);
  for (const [gram] of added) expect(grams.find(gram)).toBe(-1);
  expect(grams.empty).toBe(true);
}

describe('the lengths of literals', () => {
  test('are known by their first bytes while a literal has them', () => {
    const literal = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 4, max: 255 }));
    fc.assert(fc.property(fc.array(literal, { maxLength: 300 }), fillAndEmpty));
  });
});

describe('a subject', () => {
  test('gives for every batch the hash of its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(), fc.nat(), (string, one, other) => {
        const key = new HashKey();
        const subject = new PreparedName(key);
        subject.load(string);
        subject.scan();
        const [from, to] = [one % (subject.length + 1), other % (subject.length + 1)].sort(
          (a, b) => a - b,
        ) as [number, number];
        expect(subject.hash(from, to)).toBe(key.hash(subject.bytes, from, to));
      }),
    );
  });

  test('may be longer than any name', () => {
    const subject = new PreparedName(new HashKey());
    subject.load('ü'.repeat(5000));
    subject.scan();
    expect(subject.length).toBe(10_000);
  });
});

describe('the labels that fit a context', () => {
  const rule = { chars: [0x61, 0x7a], min: 1, max: 63 };

  test('are counted up to the first that does not', () => {
    const subject = new PreparedName(new HashKey());
    const labels = new FittingLabels(2);
    for (const [text, count] of [
      ['a.b.c.', 3],
      ['a.b.1.c.', 2],
      ['1.a.', 0],
      ['a..b.', 1],
      ['a.b', 1],
    ] as const) {
      subject.load(text);
      expect(labels.count(1, rule, subject)).toBe(count);
    }
  });

  test('are counted once for a name, however often they are asked for', () => {
    let reads = 0;
    const counted = {
      ...rule,
      get chars() {
        reads++;
        return rule.chars;
      },
    };
    const subject = new PreparedName(new HashKey());
    const labels = new FittingLabels(2);
    subject.load('a.b.c.');
    for (let i = 0; i < 100; i++) labels.count(1, counted, subject);
    expect(reads).toBe(3);
    subject.load('a.b.');
    labels.count(1, counted, subject);
    expect(reads).toBe(5);
  });
});

describe('things that are kept', () => {
  test('take no more bytes than allowed, and part of them is found when all are needed in turns', () => {
    const kept = new BoundedCache<number, string>(1000);
    let found = 0;
    for (let i = 0; i < 10_000; i++) {
      if (kept.find(i % 20) !== undefined) found++;
      else kept.keep(i % 20, 'thing', 100);
    }
    expect(Array.from({ length: 20 }, (_, key) => kept.find(key)).filter(Boolean)).toHaveLength(10);
    expect(found).toBeGreaterThan(1000);
  });

  test('are forgotten when they are deleted, and what is too large is not kept', () => {
    const kept = new BoundedCache<string, number>(1000);
    kept.keep('a', 1, 200);
    kept.keep('b', 2, 200);
    kept.keep('a', 3, 100);
    kept.keep('large', 4, 500);
    expect(['a', 'b', 'large'].map((key) => kept.find(key))).toEqual([3, 2, undefined]);
    kept.delete('a');
    expect(['a', 'b'].map((key) => kept.find(key))).toEqual([undefined, 2]);
  });
});
