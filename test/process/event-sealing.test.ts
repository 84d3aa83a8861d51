/** A process that is killed while it seals leaves a chain with which the next one goes on. */

import { afterAll, expect, it } from 'vitest';
import { sealed } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, storeOptions } from '../support/store.ts';

const ROUNDS = 2;
const CREATES = 10;

const folder = temporaryFolder();
let service: ServiceProcess | undefined;
afterAll(async () => {
  await service?.end('SIGKILL');
  folder.remove();
});

it('the next process goes on with the positions when the one that seals is killed', async () => {
  const env = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
  const dataDir = folder.path;
  let admin: string | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const started = await startProcess({ dataDir, env });
    service = started;
    admin ??= started.admin;
    const answers = Array.from({ length: CREATES }, (_, number) =>
      started.create(`round-${round}-${number}.example.`, admin),
    );
    for (const { status } of await Promise.all(answers)) expect(status).toBe(202);
    // The last round is sealed to its end.
    if (round === ROUNDS - 1) break;
    await eventually(async () =>
      (await inStoreOf(dataDir, 'select id from events limit 1')).length > 0 ? true : undefined,
    );
    await started.end('SIGKILL');
  }
  await sealed(dataDir);
  const rows = await inStoreOf(dataDir, 'select position from events order by position');
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, place) => place + 1));
  expect(rows).toHaveLength(ROUNDS * CREATES);
  const verified = await runHere(['verify'], { ...storeOptions(dataDir), ...env });
  expect(verified).toMatchObject({ status: 0, err: '', out: expect.stringContaining(' events: 0 faults') });
});
