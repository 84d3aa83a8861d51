/** The history of zones, former states and deleted zones on the command line. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'shop');
});
afterAll(() => service.remove());

const here = (...args: string[]) => runHere(['zone', ...args], storeOptions(service.dataDir));
const linesOf = ({ out }: { out: string }) => out.trimEnd().split('\n');

async function filled(name: string): Promise<TestZone> {
  const zone = await tenant.makeZone(name);
  for (const host of ['a', 'b'])
    await tenant.create(zone, { name: `${host}.${name}`, type: 'A', ttl: 60, records: ['192.0.2.1'] });
  return tenant.look(zone);
}

describe('zone history', () => {
  it('lists the changes, newest first, as lines or as JSON', async () => {
    const zone = await filled('history.example.');
    const { status, out } = await here('history', 'history.example');
    expect(status).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      new RegExp(`^\\S+\t\\d+ -> ${zone.serial}\tapi\tshop/\\w+\t1 created, 0 changed, 0 deleted$`),
    );
    expect(linesOf(await here('history', zone.name, '--limit', '1'))).toEqual([lines[0]]);
    expect(linesOf(await here('history', zone.name, '--record', 'A.history.example.'))).toEqual([lines[1]]);
    expect(linesOf(await here('history', zone.name, '--record', 'a.history.example'))).toEqual([lines[1]]);
    const [json] = linesOf(await here('history', zone.name, '--json'));
    expect(JSON.parse(json!)).toMatchObject({
      to_serial: zone.serial,
      door: 'api',
      actor: { kind: 'request', project_id: 'shop' },
      summary: { create: 1, update: 0, delete: 0 },
    });
  });

  it('exits with 1 for an unknown zone, and with 2 for options that make no sense', async () => {
    expect(await here('history', 'unknown.example.')).toMatchObject({ status: 1, out: '' });
    expect((await here('history', 'history.example.', '--limit', 'x')).status).toBe(2);
    expect((await here('history', 'history.example.', '--since', 'x')).status).toBe(2);
  });
});

describe('zone restore', () => {
  it('shows what it would do, does it, and then has nothing to do', async () => {
    const zone = await filled('back.example.');
    const remove = { changes: [{ action: 'delete', name: 'a.back.example.' }] };
    await tenant.ask('POST', `/v2/zones/${zone.id}/changes`, remove);
    const to = ['restore', zone.name, '--serial', String(zone.serial)];
    const outside = await here(...to, '--only', 'a', '--yes');
    expect(outside).toMatchObject({ status: 2, err: expect.stringContaining('is not in the zone') });
    const dry = await here(...to, '--dry-run');
    expect(dry).toMatchObject({ status: 0, err: '' });
    expect(dry.out).toContain(
      '+a.back.example. 60 IN A 192.0.2.1\n1 to create, 0 to change, 0 to delete, 0 unchanged\n',
    );
    expect((await here(...to)).status).toBe(2);
    expect((await here(...to, '--only', 'b.back.example')).out).toContain('0 to create');
    const done = await here(...to, '--yes', '--description', 'oops');
    expect(done).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^back\.example\. has the serial \d+\n$/),
    });
    expect((await tenant.list(`/v2/zones/${zone.id}/recordsets`)).toSorted()).toEqual([
      'a.back.example.',
      'b.back.example.',
    ]);
    expect(linesOf(await here('history', zone.name))[0]).toMatch(/\trestore\t.*\toops$/);
    const { status, out } = await here(...to, '--json');
    expect([status, JSON.parse(out).status]).toEqual([0, 'UNCHANGED']);
  });

  it('exits with 1 if that is refused, and with 2 if it is not clear what is meant', async () => {
    const { name, serial } = await filled('refused.example.');
    const restore = (...options: string[]) => here('restore', name, ...options);
    expect(await restore('--serial', '7')).toMatchObject({
      status: 1,
      err: expect.stringContaining('history'),
    });
    expect((await restore('--at', '2000-01-01')).status).toBe(1);
    expect((await restore('--serial', String(serial - 1), '--max-deletions', '0')).status).toBe(1);
    expect((await restore()).status).toBe(2);
    expect((await restore('--serial', String(serial), '--at', '1h')).status).toBe(2);
    expect((await restore('--serial', '-1')).status).toBe(2);
    expect((await restore('--serial', String(serial), '--only', 'a..b')).status).toBe(2);
  });
});

describe('zone undelete', () => {
  const remove = (zone: TestZone) => tenant.ask('DELETE', `/v2/zones/${zone.id}`);

  it('restores a deleted zone, and has nothing to do for one that is not deleted', async () => {
    const zone = await filled('gone.example.');
    await remove(zone);
    expect(linesOf(await here('deleted', 'gone.example'))).toEqual([
      expect.stringMatching(new RegExp(`^${zone.id}\tgone\\.example\\.\tshop\t2 recordsets\tdeleted `)),
    ]);
    const [json] = linesOf(await here('deleted', '--json'));
    expect(JSON.parse(json!)).toMatchObject({ id: zone.id, name: 'gone.example.', project_id: 'shop' });
    const { status, out } = await here('undelete', 'GONE.example');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^gone\.example\. is back with 2 recordsets and the serial \d+\n$/),
    ]);
    expect(await tenant.list(`/v2/zones/${zone.id}/recordsets`)).toHaveLength(2);
    expect(await here('undelete', zone.name)).toEqual({
      status: 0,
      out: '',
      err: 'gone.example. is not deleted\n',
    });
    expect(await here('deleted', 'gone.example')).toMatchObject({ status: 0, out: '' });
  });

  it('wants to know which of several zones, and is refused while another has the name', async () => {
    const first = await filled('twice.example.');
    await remove(first);
    const second = await filled('twice.example.');
    expect(await here('undelete', 'twice.example.')).toMatchObject({
      status: 1,
      err: expect.stringContaining('already exists'),
    });
    await remove(second);
    expect(await here('undelete', 'twice.example.')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--id'),
    });
    const { status, out } = await here(
      'undelete',
      'twice.example.',
      '--id',
      first.id.toUpperCase(),
      '--json',
    );
    expect([status, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ id: first.id, project_id: 'shop', recordsets: 2 }),
    ]);
    expect((await here('undelete', 'never.example.')).status).toBe(1);
    expect((await here('undelete', 'a..b')).status).toBe(2);
  });
});
