/** Several processes on one database make one chain of events, whichever of them is killed. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sealed } from '../../support/events.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { inStoreOf, shareDatabase, storeOptions } from '../../support/store.ts';

const CREATES = 40;

const folder = temporaryFolder();
const started: ServiceProcess[] = [];
afterAll(async () => {
  await Promise.all(started.map((one) => one.end('SIGKILL')));
  folder.remove();
});

const holderIn = async (dataDir: string): Promise<unknown> =>
  (await inStoreOf(dataDir, `select holder from leases where name = 'seal events'`))[0]?.holder || undefined;

it('another process goes on with the positions when the one that seals is killed', async () => {
  const dataDirs = ['one', 'other'].map((name) => join(folder.path, name));
  shareDatabase(dataDirs[0]!, dataDirs[1]!);
  const keyFile = join(folder.path, 'keys');
  writeFileSync(keyFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  const env = { ZONEWARDEN_EVENTS__KEY_FILE: keyFile, ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  const start = async (dataDir: string) => {
    const service = await startProcess({ dataDir, env });
    started.push(service);
    return service;
  };
  const one = await start(dataDirs[0]!);
  const { admin } = one;
  const holder = await eventually(() => holderIn(one.dataDir));
  const other = await start(dataDirs[1]!);
  // A machine that is busy may answer 503, whether or not it was done.
  const create = (service: ServiceProcess, name: string) =>
    eventually(async () => {
      const { status } = await service.create(`${name}.example.`, admin);
      return [202, 409].includes(status) || undefined;
    });
  const before = Array.from({ length: CREATES }, (_, number) =>
    create(number % 2 === 0 ? one : other, `before-${number}`),
  );
  await Promise.all(before);
  expect(await holderIn(one.dataDir)).toBe(holder);
  await one.end('SIGKILL');
  for (let number = 0; number < CREATES; number++) await create(other, `after-${number}`);
  await sealed(other.dataDir);
  const next = await holderIn(other.dataDir);
  expect([next === undefined, next === holder]).toEqual([false, false]);
  const rows = await inStoreOf(other.dataDir, 'select position from events order by position');
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, place) => place + 1));
  expect(rows).toHaveLength(2 * CREATES);
  const verified = await runHere(['verify'], { ...storeOptions(other.dataDir), ...env });
  expect(verified).toMatchObject({ status: 0, err: '', out: expect.stringContaining(' events: 0 faults') });
});
