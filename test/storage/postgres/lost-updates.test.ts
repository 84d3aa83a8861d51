/** What the ETags of one process say holds in each other one on the same database. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../support/postgres/cluster.ts';
import type { Answer } from '../../support/process.ts';
import { runs } from '../../support/runs.ts';
import { countTogether, KINDS, taggedKinds } from '../../support/tagged-resources.ts';

const PROCESSES = 3;
const CLIENTS = runs(20, 12);

let cluster: Cluster;
let kinds: ReturnType<typeof taggedKinds<Answer>>;
beforeAll(async () => {
  cluster = await startCluster(PROCESSES);
  const files = cluster.dataDirs.map((dataDir) => join(dataDir, 'admin.token'));
  const token = readFileSync(files.find((file) => existsSync(file))!, 'utf8').trim();
  const ask = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
    cluster.any().request(method, path, { token, body, ...(headers === undefined ? {} : { headers }) });
  kinds = taggedKinds(ask, ask);
});
afterAll(() => cluster.remove());

it.each(KINDS)('no client of any process undoes what another one has written: %s', async (kind) => {
  expect(await countTogether(kinds[kind], CLIENTS)).toBe(CLIENTS);
});
