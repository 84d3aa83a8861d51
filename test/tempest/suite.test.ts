import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { keystoneOptions } from '../support/keystone/fake.ts';
import { RealKeystone } from '../support/keystone/real.ts';
import { type Pool, startPool } from '../support/name-servers/publishing.ts';
import { runTempest } from '../support/tempest/outcomes.ts';
import { makeWorkspace } from '../support/tempest/workspace.ts';

let keystone: RealKeystone;
let pool: Pool;
const folder = mkdtempSync(join(tmpdir(), 'zonewarden-tempest-'));
beforeAll(async () => {
  keystone = await RealKeystone.start(7200, { isStrict: false });
  const home = await keystone.addProject('service');
  const own = await keystone.addUser('zonewarden');
  await keystone.grant(own, 'service', `projects/${home}`);
  await keystone.grant(own, 'reader', 'system');
  pool = await startPool(['BIND'], {
    ...keystoneOptions(keystone.url),
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__PROJECT_NAME: '',
    ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403',
    ZONEWARDEN_SERVICE_API__QUOTAS_VERIFY_PROJECT_ID: 'true',
    ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'token, keystone',
  });
  await keystone.addService('dns', pool.service.url);
});
afterAll(async () => {
  await pool?.remove();
  await keystone?.remove();
});
it('runs', async () => {
  const ws = makeWorkspace(folder, { keystone, server: pool.servers[0]! });
  const r = await runTempest(ws, process.env.REGEX ?? 'designate_tempest_plugin');
  writeFileSync('/tmp/tempest-out.txt', r.text);
  writeFileSync('/tmp/tempest-outcomes.json', JSON.stringify(r.outcomes, null, 1));
});
