/** Whoever changes the patterns, and however: the very next create goes by what is stored. */

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_TERMS } from '../../../src/model/blacklists/blacklist.ts';
import type { Transaction } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';
import { commandsOn } from '../../support/process.ts';
import { Random } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeSettings } from '../../support/store.ts';

let service: TestService;
let member: string;
let noRoom: string;
beforeEach(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('mine', 'member');
  noRoom = await service.token('no-room', 'member');
  await admin('PATCH', '/v2/quotas/no-room', { zones: 0 });
});
afterEach(() => service.remove());

const admin = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
const create = (name: string, token = member): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });

/** Whether a name is blocked; nothing is created, since the quota is asked after the blacklists. */
async function isBlocked(name: string): Promise<boolean> {
  const { status, json } = await create(name, noRoom);
  expect([name, status, json.type]).toEqual(
    status === 400 ? [name, 400, 'invalid_zone_name'] : [name, 413, 'over_quota'],
  );
  return status === 400;
}

async function add(pattern: string): Promise<string> {
  const { status, json } = await admin('POST', '/v2/blacklists', { pattern });
  expect([pattern, status]).toEqual([pattern, 201]);
  return json.id;
}

/** What another process does on the same database. */
async function elsewhere<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const store = await openStore(storeSettings(service.dataDir));
  try {
    return await store.transaction(work);
  } finally {
    await store.close();
  }
}

describe('another store on the same database', () => {
  const entry = (pattern: string) => ({
    id: randomUUID(),
    pattern,
    description: null,
    createdAt: '2026-01-01T00:00:00.000000',
    updatedAt: null,
    exhausted: null,
    hits: null,
    lists: [],
    ...DEFAULT_TERMS,
  });

  it('adds, changes and removes patterns, each for the very next create', async () => {
    expect(await isBlocked('one.example.')).toBe(false);
    const first = entry('^one\\.example\\.$');
    await elsewhere((tx) => tx.blacklists.insert(first, ''));
    expect(await isBlocked('one.example.')).toBe(true);
    await elsewhere((tx) => tx.blacklists.update(first, { ...first, pattern: '^two\\.example\\.$' }));
    expect([await isBlocked('one.example.'), await isBlocked('two.example.')]).toEqual([false, true]);
    await elsewhere(async (tx) => tx.blacklists.remove((await tx.blacklists.lock(first.id))!));
    expect(await isBlocked('two.example.')).toBe(false);
  });
});

describe('the command line', () => {
  it('imports thousands of patterns while creates run, all of which the next create goes by', async () => {
    const count = runs(5000, 3000);
    const file = join(service.dataDir, 'patterns.txt');
    const lines = Array.from({ length: count }, (_, i) => `^taken-${i}\\.example\\.$`);
    writeFileSync(file, lines.join('\n'));
    let running = true;
    const importing = commandsOn(service.dataDir)(['blacklist', 'import', file]).finally(() => {
      running = false;
    });
    const answers: number[] = [];
    for (let i = 0; running || i === 0; i++) answers.push((await create(`free-${i}.example.`)).status);
    expect(await importing).toMatchObject({
      status: 0,
      out: `imported ${count}, already stored 0\n`,
      err: '',
    });
    expect(new Set(answers)).toEqual(new Set([202]));
    for (let i = 0; i < count; i += 199) expect(await isBlocked(`taken-${i}.example.`)).toBe(true);
    expect((await create('free-after.example.')).status).toBe(202);
  });
});

describe('a pattern that is removed', () => {
  it('refuses nothing once that is acknowledged', async () => {
    const id = await add('^back\\.example\\.$');
    expect((await create('back.example.')).status).toBe(400);
    expect((await admin('DELETE', `/v2/blacklists/${id}`)).status).toBe(204);
    expect((await create('back.example.')).status).toBe(202);
  });

  it.each([
    ['^(?:foo|bar)\\.', '^(?:foo|baz)\\.test'],
    ['^.{3}(?:foo|bar)', '^.{3}(?:foo|baz)'],
    ['(?:foo|bar)\\.example', '(?:foo|baz)\\.test'],
    ['(fo+)', '(fo+)\\1'],
  ])('%s: leaves although %s came and went before any create saw it', async (kept, passing) => {
    const id = await add(kept);
    const name = kept.includes('{3}') ? 'abcfoo.example.' : 'foo.example.';
    expect(await isBlocked(name)).toBe(true);
    const other = await add(passing);
    await admin('DELETE', `/v2/blacklists/${other}`);
    expect(await isBlocked(name)).toBe(true);
    await admin('DELETE', `/v2/blacklists/${id}`);
    expect(await isBlocked(name)).toBe(false);
  });
});

describe('after many random changes', () => {
  const chance = new Random(20_261_121);
  const random = (below: number): number => chance.below(below);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const WORDS = ['foo', 'bar', 'shop', 'evil', 'aab', 'x1', 'mail', 'oops'];
  const FORMS: readonly ((a: string, b: string) => string)[] = [
    (a, b) => `^${a}\\.${b}\\.$`,
    (a, b) => `^([A-Za-z0-9_\\-]+\\.)*${a}\\.${b}\\.$`,
    (a, b) => `${a}-${b}`,
    (a, b) => `^(?:${a}|${b}[0-9])\\.`,
    (a, b) => `^.{${2 + random(3)}}(?:${a}|${b})`,
    (a, b) => `(${a}|${b}[0-9]+)\\.com\\.$`,
    (a) => `^[${a}]{4,}\\.`,
    (a, b) => `^(${a}|${b})[^.]*\\.\\1`,
    (a, b) => `^(?=.*${a})(?!.*${b}).*net`,
    (a) => `([a-z])\\1.*${a}`,
  ];
  const names = Array.from(
    { length: 80 },
    () =>
      `${pick(WORDS)}${pick(['', '-', '1', 'oo'])}${pick(WORDS)}.${pick(WORDS)}.${pick(['com', 'net', 'foo'])}.`,
  );

  /** The patterns that are stored, by id. */
  const stored = new Map<string, string>();
  const changes = {
    async add(pattern: string): Promise<void> {
      stored.set(await add(pattern), pattern);
    },
    async change(id: string, pattern: string): Promise<void> {
      await admin('PATCH', `/v2/blacklists/${id}`, { pattern });
      stored.set(id, pattern);
    },
    async remove(id: string): Promise<void> {
      await admin('DELETE', `/v2/blacklists/${id}`);
      stored.delete(id);
    },
  };

  function changeAnything(): Promise<void> {
    const pattern = pick(FORMS)(pick(WORDS), pick(WORDS));
    const ids = [...stored.keys()];
    // Few are kept at a time, so that the names are not all blocked.
    if (ids.length > 8 || [...stored.values()].includes(pattern)) return changes.remove(pick(ids));
    return ids.length > 0 && random(3) === 0 ? changes.change(pick(ids), pattern) : changes.add(pattern);
  }

  async function blocked(): Promise<string[]> {
    const verdicts = await Promise.all(names.map(isBlocked));
    return names.filter((_, i) => verdicts[i]);
  }

  function expected(): string[] {
    const patterns = [...stored.values()].map((pattern) => new RegExp(pattern, 'i'));
    return names.filter((name) => patterns.some((pattern) => pattern.test(name)));
  }

  it('the verdicts are those of the patterns that are stored, and the same after a restart', async () => {
    for (let step = 0; step < runs(80, 40); step++) {
      await changeAnything();
      // Now and then only: what happens between two creates is taken in together.
      if (random(8) === 0) expect(await blocked()).toEqual(expected());
    }
    const before = await blocked();
    expect(before).toEqual(expected());
    await service.restart();
    expect(await blocked()).toEqual(before);
  });
});
