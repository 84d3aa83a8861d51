import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { commandsOn, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const POOL = `- name: default
  ns_records:
    - { hostname: ns1.example.org., priority: 1 }
  nameservers:
    - { host: 127.0.0.1, port: 1 }
`;

const range = (count: number) => [...Array(count).keys()];

/** Creates zones one after another, so that others are published meanwhile. */
async function createInTurn(service: ServiceProcess, client: number): Promise<string[]> {
  const ids: string[] = [];
  for (const at of range(16)) {
    const { status, json } = await service.create(`z${at}-${client}.example.`);
    expect(status).toBe(202);
    ids.push(json.id);
  }
  return ids;
}

it('warns of nothing while eight clients create zones that are published', async () => {
  const dataDir = join(folder.path, 'data');
  const env = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ZONEWARDEN_SERVICE_MDNS__LISTEN: '127.0.0.1:0' };
  const service = await startProcess({ dataDir, env });
  const file = join(folder.path, 'pools.yaml');
  writeFileSync(file, POOL);
  expect(await commandsOn(dataDir)(['pool', 'apply', '--yes', file])).toMatchObject({ status: 0 });
  const created = await Promise.all(range(8).map((client) => createInTurn(service, client)));
  for (const id of created.flat()) {
    // From the first outcome on, a publication says since when its server is behind.
    await eventually(async () => {
      const { json } = await service.request('GET', `/v2/zones/${id}/publication`, {
        token: service.admin,
      });
      return json.servers[0].since ?? undefined;
    });
  }
  await service.end();
  expect(service.output.err).not.toContain('Warning');
});
