import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commandsOn, startProcess, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const POOL = `- name: default
  ns_records:
    - { hostname: ns1.example.org., priority: 1 }
  nameservers:
    - { host: 127.0.0.1, port: 1 }
`;

it('warns of nothing while 64 zones are created and published at once', async () => {
  const dataDir = join(folder.path, 'data');
  const env = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:0' };
  const service = await startProcess({ dataDir, env });
  const file = join(folder.path, 'pools.yaml');
  writeFileSync(file, POOL);
  expect(await commandsOn(dataDir)(['pool', 'apply', '--yes', file])).toMatchObject({ status: 0 });
  const names = Array.from({ length: 64 }, (_, at) => `z${at}.example.`);
  const created = await Promise.all(names.map((name) => service.create(name)));
  expect(created.map(({ status }) => status)).toEqual(names.map(() => 202));
  await service.end();
  expect(service.output.err).not.toContain('Warning');
});
