import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outcome, openstackAs, requireOpenstack } from '../support/openstack/command.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const ZONE = 'files.example.';
const FILE = `$ORIGIN ${ZONE}
$TTL 3600
@ IN SOA ns.elsewhere.example. hostmaster.files.example. 7 3600 600 86400 300
@ IN NS ns.elsewhere.example.
www 300 IN A 192.0.2.1
`;

let service: ServiceProcess;
let openstack: ReturnType<typeof openstackAs>;
let folder: string;

beforeAll(async () => {
  await requireOpenstack();
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-files-'));
  service = await startServiceProcess();
  openstack = openstackAs(`${service.url}/v2`, service.token('tenant', 'member'));
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function expectDone({ status, json, message }: Outcome) {
  expect({ status, message }).toEqual({ status: 0, message: '' });
  return json;
}

function fileOf(text: string): string {
  const file = join(folder, 'zone.txt');
  writeFileSync(file, text);
  return file;
}

describe('openstack zone import', () => {
  let id: string;

  it('create, and the zone is there with what the file holds', async () => {
    const made = expectDone(await openstack('zone import create -f json', fileOf(FILE)));
    expect(made).toMatchObject({ status: 'COMPLETE', project_id: 'tenant' });
    id = made.id;
    const recordsets = expectDone(await openstack(`recordset list ${ZONE} --type A -f json`));
    expect(recordsets).toMatchObject([{ name: `www.${ZONE}`, records: '192.0.2.1' }]);
  });

  it('create again is refused, since the zone is there', async () => {
    const { status, message } = await openstack('zone import create -f json', fileOf(FILE));
    expect(status).not.toBe(0);
    expect(message).toMatch(/exists/);
  });

  it('create of a file with a fault names the line', async () => {
    const broken = FILE.replaceAll(ZONE, 'broken.example.').replace('192.0.2.1', '192.0.2.x');
    expect((await openstack('zone import create -f json', fileOf(broken))).message).toMatch(/Line 5/);
  });

  it('list, show and delete', async () => {
    expect(expectDone(await openstack('zone import list -f json'))).toMatchObject([{ id }]);
    expect(expectDone(await openstack(`zone import show ${id} -f json`))).toMatchObject({ id });
    expectDone(await openstack(`zone import delete ${id}`));
    expect(expectDone(await openstack('zone import list -f json'))).toEqual([]);
  });
});

describe('openstack zone export', () => {
  let id: string;

  it('create and show', async () => {
    const made = expectDone(await openstack(`zone export create ${ZONE} -f json`));
    expect(made).toMatchObject({ status: 'PENDING', project_id: 'tenant' });
    id = made.id;
    const shown = expectDone(await openstack(`zone export show ${id} -f json`));
    expect(shown).toMatchObject({ id, status: 'COMPLETE' });
  });

  it('showfile prints the zone file', async () => {
    const { data } = expectDone(await openstack(`zone export showfile ${id} -f json`));
    expect(data).toContain(`www.${ZONE} 300 IN A 192.0.2.1`);
  });

  it('list and delete', async () => {
    expect(expectDone(await openstack('zone export list -f json'))).toMatchObject([{ id }]);
    expectDone(await openstack(`zone export delete ${id}`));
    expect(expectDone(await openstack('zone export list -f json'))).toEqual([]);
  });
});
