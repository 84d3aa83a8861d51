import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, makeStore, storeOptions } from '../support/store.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await makeStore(folder.path);
  const columns = 'project_id, zones, recordsets, quota_zones, quota_zone_records';
  const many = Array.from({ length: 600 }, (_, place) => `('q${1000 + place}', 0, 0, 5, null)`);
  const rows = ["('shop', 2, 7, 3, -1)", "('plain', 1, 1, null, null)", ...many].join(', ');
  await inStoreOf(folder.path, `insert into projects (${columns}) values ${rows}`);
});
afterAll(() => folder.remove());

it('lists the projects with limits of their own, and what they use', async () => {
  const { status, out, err } = await runHere(['quota', 'list'], storeOptions(folder.path));
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toBe('project\tzones\trecordsets\tlimits');
  expect(lines).toHaveLength(1 + 601);
  expect(lines.at(-1)).toBe('shop\t2\t7\tzones=3,zone_records=-1');
  expect(lines[1]).toBe('q1000\t0\t0\tzones=5');
});

it('lists them as JSON, one a line', async () => {
  const { out } = await runHere(['quota', 'list', '--json'], storeOptions(folder.path));
  const entries = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries).toHaveLength(601);
  expect(entries.at(-1)).toEqual({
    project_id: 'shop',
    usage: { zones: 2, recordsets: 7 },
    limits: { zones: 3, zone_records: -1 },
  });
});
