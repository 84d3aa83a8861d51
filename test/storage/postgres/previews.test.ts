/** A preview whose process is killed. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../../support/process.ts';
import { shareDatabase } from '../../support/store.ts';

const PREVIEWS = '/v2/blacklists/previews';
/** A pattern that takes the whole budget of a check for a name of many letters, and so many of them: seconds. */
const SLOW = '^(\\w+)+\\.(\\w+)+\\.\\1\\2x';
const ZONES = 60;
/** Each check takes processor time, of which a loaded machine has little. */
const CHECKS_TAKE_MS = 500_000;

const folder = temporaryFolder();
const dataDirs = ['one', 'two'].map((name) => join(folder.path, name));
const processes: ServiceProcess[] = [];
beforeAll(async () => {
  shareDatabase(dataDirs[0]!, dataDirs[1]!);
  for (const dataDir of dataDirs)
    processes.push(await startProcess({ dataDir, env: { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' } }));
}, 300_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  folder.remove();
});

it('is taken over by another process, which finds each zone once', async () => {
  const [one, two] = processes as [ServiceProcess, ServiceProcess];
  const token = one.admin;
  const names = Array.from(
    { length: ZONES },
    (_, place) => `${'ab'.repeat(30)}.${'cd'.repeat(30)}.s${place}.example.`,
  );
  for (const { status } of await Promise.all(names.map((name) => one.create(name)))) expect(status).toBe(202);
  // The other one takes nothing as long as it stands still.
  two.child.kill('SIGSTOP');
  const { json: begun } = await one.request('POST', PREVIEWS, { token, body: { pattern: SLOW } });
  const shown = async (by: ServiceProcess) =>
    (await by.request('GET', `${PREVIEWS}/${begun.id}`, { token })).json;
  await until(async () => expect((await shown(one)).zones.seen).toBeGreaterThan(0));
  await one.end('SIGKILL');
  two.child.kill('SIGCONT');
  const left = await shown(two);
  expect(left.status).toBe('RUNNING');
  expect(left.zones.seen).toBeLessThan(ZONES);
  const done = await eventually(async () => {
    const preview = await shown(two);
    return preview.ended_at === null ? undefined : preview;
  }, CHECKS_TAKE_MS);
  expect(done).toMatchObject({
    status: 'COMPLETE',
    zones: { total: ZONES, seen: ZONES, matched: 0, undecided: ZONES, listed: ZONES },
  });
  const path = `${PREVIEWS}/${begun.id}/zones?limit=1000`;
  const { zones } = (await two.request('GET', path, { token })).json;
  expect(zones.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
}, 700_000);
