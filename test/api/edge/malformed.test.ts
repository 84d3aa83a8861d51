/** A small campaign of malformed requests; `npm run trial -- malformed` is the large one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendMalformed } from '../../../trials/malformed/campaign.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { runs } from '../../support/runs.ts';
import { storeOptions } from '../../support/store.ts';

const SEED = 1;
const REQUESTS = runs(1000, 800);
const PROJECT = 'malformed';

let service: ServiceProcess;
const folder = temporaryFolder();
beforeAll(async () => {
  service = await startProcess({
    dataDir: folder.path,
    env: {
      ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
      ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '2',
    },
  });
});
afterAll(async () => {
  await service.end();
  folder.remove();
});

it('answers every malformed request with the refusal that it deserves, and goes on', async () => {
  const create = ['token', 'create', '--project', PROJECT, '--role', 'member'];
  const made = await runHere(create, storeOptions(folder.path));
  const { url, admin } = service;
  const asked = { url, admin, member: made.out.trim(), project: PROJECT };
  const tally = await sendMalformed({ service: asked, requests: REQUESTS, seed: SEED, parallel: 32 });
  expect(tally.faults).toEqual([]);
  expect([...tally.kinds.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  // A flood that got no further than the door would show nothing.
  for (const status of ['200', '202', '400', '401', '404', '405', '406', '408', '409', '413', '415', '431']) {
    expect([status, tally.statuses.get(status) ?? 0]).not.toEqual([status, 0]);
  }
  const failed = service.log.filter(({ level, status }) => Number(level) >= 50 || Number(status) >= 500);
  expect(failed).toEqual([]);
  expect((await service.create('after.example.net.')).status).toBe(202);
});
