/** `import-designate --update` where shares have ended at the source. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Importing } from '../support/designate/importing.ts';
import type { DesignateZone, Entry } from '../support/designate/scripted.ts';
import { tenantOf } from '../support/tenant.ts';

let site: Importing;
let data: Importing['designate']['data'];
let zone: DesignateZone;
let share: Entry;
let theirs: Entry;
beforeEach(async () => {
  site = await Importing.start();
  ({ data } = site.designate);
  zone = data.zone('example.com.', { shared: true });
  share = data.entry({ zone_id: zone.id, project_id: 'one', target_project_id: 'guest' });
  data.shares.set(zone.id, [share]);
  theirs = data.recordset(zone, 'guest.example.com.', 'A', ['192.0.2.1'], { project_id: 'guest' });
  expect((await site.importAll()).status).toBe(0);
});
afterEach(() => site.stop());

const shareStatus = async () => (await site.get(`/v2/zones/${zone.id}/shares/${share.id}`)).status;
const recordsetAt = (id: string) => site.get(`/v2/zones/${zone.id}/recordsets/${id}`);
const forget = (one: Entry) =>
  data.recordsets.set(
    zone.id,
    data.recordsets.get(zone.id)!.filter((other) => other !== one),
  );

it('ends a share here that has ended there, and gives its recordsets to the owner as there', async () => {
  data.shares.set(zone.id, []);
  theirs.project_id = 'one';
  const { status, err } = await site.importAll();
  expect([status, await shareStatus()]).toEqual([1, 200]);
  expect(err).toContain('shares differs, guest.example.com. A differs');
  expect(await site.importAll('--update')).toMatchObject({ status: 0, err: '' });
  expect(await shareStatus()).toBe(404);
  expect((await recordsetAt(theirs.id)).json).toMatchObject({ project_id: 'one' });
  expect(await site.verify()).toBe(0);
});

it('counts a recordset that comes to another project with the share of that project', async () => {
  theirs.project_id = 'one';
  expect((await site.importAll('--update')).status).toBe(0);
  expect((await recordsetAt(theirs.id)).json).toMatchObject({ project_id: 'one' });
  expect(await site.verify()).toBe(0);
  theirs.project_id = 'guest';
  expect((await site.importAll('--update')).status).toBe(0);
  expect(await site.verify()).toBe(0);
});

it('keeps a share whose project has recordsets here that the source lacks, and says so', async () => {
  const guest = await tenantOf(site.service, 'guest');
  const body = { name: 'late.example.com.', type: 'A', records: ['192.0.2.9'] };
  const late = (await guest.ask('POST', `/v2/zones/${zone.id}/recordsets`, body)).json;
  data.shares.set(zone.id, []);
  forget(theirs);
  zone.description = 'newer';
  const { status, err } = await site.importAll('--update');
  expect(status).toBe(1);
  expect(err).toContain(
    'shares differs, guest.example.com. A is only here, late.example.com. A is only here',
  );
  expect(await shareStatus()).toBe(200);
  expect((await recordsetAt(late.id)).status).toBe(200);
  expect((await site.get(`/v2/zones/${zone.id}`)).json.description).toBe('newer');
  expect(await site.verify()).toBe(0);
});

it('leaves a share as narrow as its owner has made it here', async () => {
  const owner = await tenantOf(site.service, 'one');
  forget(theirs);
  await owner.ask('DELETE', `/v2/zones/${zone.id}/recordsets/${theirs.id}`);
  await owner.ask('DELETE', `/v2/zones/${zone.id}/shares/${share.id}`);
  const scope = { names: ['guest.**'] };
  const made = await owner.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest', scope });
  zone.description = 'newer';
  expect(await site.importAll('--update')).toMatchObject({ status: 0, err: '' });
  const { shared_zones: shares } = (await owner.ask('GET', `/v2/zones/${zone.id}/shares`)).json;
  expect(shares).toEqual([expect.objectContaining({ id: made.json.id, scope })]);
});

it('ends no share where the source knows none, or gives one that cannot be read', async () => {
  const { shared } = zone;
  delete zone.shared;
  theirs.project_id = 'one';
  data.shares.set(zone.id, []);
  expect((await site.importAll('--update')).status).toBe(0);
  expect(await shareStatus()).toBe(200);

  zone.shared = shared;
  data.shares.set(zone.id, [{ ...share, created_at: 'yesterday' }]);
  const { status, err } = await site.importAll('--update');
  expect(status).toBe(1);
  expect(err).toMatch(/refused: share .*created_at: This is not a time/);
  expect(await shareStatus()).toBe(200);
});

it('refuses shares that the source gives twice', async () => {
  const other = data.zone('other.example.', { shared: true });
  const twice = data.entry({ zone_id: other.id, project_id: 'one', target_project_id: 'third' });
  const lies = [twice, { ...twice, target_project_id: 'fourth' }, { ...twice, id: zone.id }];
  data.shares.set(other.id, lies);
  const third = data.zone('third.example.', { shared: true });
  data.shares.set(third.id, [share]);
  const { status } = await site.importAll();
  expect(status).toBe(1);
  expect(site.unsettled('imported')).toEqual([
    'refused share fourth',
    'refused share third',
    'refused zone third.example.',
  ]);
  expect(await site.verify()).toBe(0);
});
