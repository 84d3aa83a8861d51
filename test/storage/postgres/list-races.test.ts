/** Two processes that import, sync, change and remove lists of blacklists at once on one database. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Cluster, startCluster } from '../../support/postgres/cluster.ts';
import { type Answer, commandsOn } from '../../support/process.ts';
import { Random } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';

const PATTERNS = 400;
const LISTS = ['a', 'b', 'c'] as const;
const CLIENTS = 3;
const STEPS = 8;

let cluster: Cluster;
let admin: string;
let command: ReturnType<typeof commandsOn>;
beforeAll(async () => {
  cluster = await startCluster(2, { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  command = commandsOn(cluster.dataDirs[0]!);
  admin = readFileSync(
    cluster.dataDirs.map((folder) => join(folder, 'admin.token')).find((file) => isThere(file))!,
    'utf8',
  ).trim();
});
afterAll(() => cluster.remove());

function isThere(file: string): boolean {
  try {
    return readFileSync(file, 'utf8') !== '';
  } catch {
    return false;
  }
}

const ask = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
  cluster.any().request(method, path, {
    token: admin,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
const pattern = (n: number) => `^p${n}\\.example\\.$`;

/** Sends it until nothing else is staged, and waits for the end of its task. */
async function staged(send: () => Promise<Answer>): Promise<Answer['json'] | undefined> {
  const answer = await eventually(async () => {
    const tried = await send();
    return tried.status === 409 ? undefined : tried;
  });
  if (answer.status === 404) return undefined;
  expect([answer.status, answer.json.type]).toEqual([202, undefined]);
  return eventually(async () => {
    const { json } = await ask('GET', `/v2/blacklists/imports/${answer.json.id}`);
    return json.status === 'ACTIVE' ? undefined : json;
  });
}

async function step(random: Random, client: number): Promise<void> {
  const list = random.pick(LISTS);
  const from = random.below(PATTERNS);
  const lines = Array.from({ length: 1 + random.below(150) }, (_, i) => pattern((from + i) % PATTERNS)).join(
    '\n',
  );
  const send = (query: string) =>
    staged(() => ask('POST', `/v2/blacklists/import?${query}`, lines, 'text/plain'));
  const one = async (): Promise<Answer['json'] | undefined> =>
    (await ask('GET', `/v2/blacklists?pattern=${encodeURIComponent(pattern(from))}`)).json.blacklists[0];
  switch (random.below(9)) {
    case 0:
      return void (await send(`list=${list}`));
    case 1:
    case 2:
      return void (await send(`list=${list}&sync=true`));
    case 3:
      return void (await send(`list=${list}&sync=true&dry_run=true`));
    case 4:
      return void (await staged(() => ask('DELETE', `/v2/blacklists/lists/${list}`)));
    case 5:
      return void (await ask('POST', '/v2/blacklists', { pattern: pattern(from) }));
    case 6: {
      const entry = await one();
      if (entry !== undefined) await ask('DELETE', `/v2/blacklists/${entry.id}`);
      return;
    }
    case 7: {
      const entry = await one();
      const body = { pattern: pattern(random.below(PATTERNS)) };
      if (entry !== undefined) await ask('PATCH', `/v2/blacklists/${entry.id}`, body);
      return;
    }
    default: {
      const file = join(cluster.dataDirs[0]!, `file-${client}`);
      writeFileSync(file, lines);
      expect(await command(['blacklist', 'sync', '--list', list, file])).toMatchObject({ status: 0 });
    }
  }
}

/** What the lists say that they hold is what they hold, and nothing is left of what was staged. */
async function expectExact(): Promise<void> {
  expect(await command(['verify'])).toMatchObject({ status: 0 });
  const { lists } = (await ask('GET', '/v2/blacklists/lists')).json;
  for (const { name, entries } of lists) {
    const held = (await ask('GET', `/v2/blacklists?list=${name}&limit=1000`)).json.blacklists;
    expect([name, held.length]).toEqual([name, entries]);
  }
}

it('lists, what holds entries, and counters stay exact', async () => {
  for (let run = 0; run < runs(3, 2); run++) {
    const random = new Random(run + 1);
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let done = 0; done < STEPS; done++) await step(random, client);
      }),
    );
    await expectExact();
  }
  for (const list of LISTS) {
    await staged(() => ask('POST', `/v2/blacklists/import?list=${list}&sync=true`, '', 'text/plain'));
    expect((await ask('GET', `/v2/blacklists/lists/${list}`)).json.entries).toBe(0);
  }
  await expectExact();
}, 900_000);
