import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outcome, openstackAs, requireOpenstack } from '../support/openstack/command.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const TTL = '--ttl 300 --description text';

let service: ServiceProcess;
let asAdmin: ReturnType<typeof openstackAs>;
let asSeller: ReturnType<typeof openstackAs>;
let asBuyer: ReturnType<typeof openstackAs>;

beforeAll(async () => {
  await requireOpenstack();
  service = await startServiceProcess({ ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403' });
  const as = (token: string) => openstackAs(`${service.url}/v2`, token);
  asAdmin = as(service.admin);
  asSeller = as(service.token('seller', 'member'));
  asBuyer = as(service.token('buyer', 'member'));
});
afterAll(() => service?.remove());

function expectDone({ status, json, message }: Outcome) {
  expect({ status, message }).toEqual({ status: 0, message: '' });
  return json;
}

function expectRefusal(outcome: Outcome, message: RegExp): void {
  expect(outcome.message).toMatch(message);
  expect(outcome.status).not.toBe(0);
}

async function createZone(name: string): Promise<string> {
  return expectDone(await asSeller(`zone create --email a@example.org ${name} -f json`)).id;
}

describe('openstack recordset', () => {
  const zone = 'records.example.';
  let id: string;
  beforeAll(() => createZone(zone));

  it('create, with the records in their order', async () => {
    const records = '--record 192.0.2.2 --record 192.0.2.1';
    const made = expectDone(
      await asSeller(`recordset create ${zone} www.${zone} --type A ${records} ${TTL} -f json`),
    );
    expect(made).toMatchObject({
      name: `www.${zone}`,
      zone_name: zone,
      project_id: 'seller',
      type: 'A',
      records: '192.0.2.2\n192.0.2.1',
      ttl: 300,
      description: 'text',
      status: 'PENDING',
      action: 'CREATE',
    });
    id = made.id;
  });

  it('create of a text with spaces and quotes', async () => {
    const words = `recordset create ${zone} ${zone} --type TXT -f json --record`;
    expect(expectDone(await asSeller(words, '"v=spf1 \\"x\\" -all"')).records).toBe('"v=spf1 \\"x\\" -all"');
  });

  it('show by name and by id', async () => {
    const byId = expectDone(await asSeller(`recordset show ${zone} ${id} -f json`));
    expect(byId).toMatchObject({ id, status: 'ACTIVE', action: 'NONE', records: '192.0.2.2\n192.0.2.1' });
    expect(expectDone(await asSeller(`recordset show ${zone} www.${zone} -f json`))).toEqual(byId);
  });

  it('set', async () => {
    const changes = '--record 192.0.2.9 --no-ttl --no-description';
    expect(expectDone(await asSeller(`recordset set ${zone} ${id} ${changes} -f json`))).toMatchObject({
      records: '192.0.2.9',
      ttl: null,
      description: null,
      version: 2,
    });
  });

  it('list of a zone by every filter, and of all zones', async () => {
    const filters = `--name WWW.* --type A --data 192.0.2.* --status ACTIVE --action NONE`;
    const rows = expectDone(await asSeller(`recordset list ${zone} ${filters} -f json`));
    expect(rows).toMatchObject([{ id, name: `www.${zone}`, type: 'A', records: '192.0.2.9' }]);
    const all = expectDone(await asSeller('recordset list all -f json'));
    expect(all.map(({ type }: { type: string }) => type).sort()).toEqual(['A', 'NS', 'SOA', 'TXT']);
    expect(expectDone(await asAdmin('recordset list all --all-projects --type TXT -f json'))).toHaveLength(1);
  });

  it('refuses a bad record, a bad place and a duplicate, with the reason', async () => {
    const create = (text: string) => asSeller(`recordset create ${zone} ${text}`);
    expectRefusal(await create(`x.${zone} --type A --record 192.0.2.300`), /records\.0: .*IPv4/);
    expectRefusal(
      await create(`www.${zone} --type CNAME --record a.example.`),
      /A CNAME must be the only recordset/,
    );
    expectRefusal(await create(`www.${zone} --type A --record 192.0.2.1`), /Change that recordset/);
  });

  it('delete', async () => {
    expect(expectDone(await asSeller(`recordset delete ${zone} ${id} -f json`))).toMatchObject({
      id,
      action: 'DELETE',
    });
    expectRefusal(await asSeller(`recordset show ${zone} ${id}`), /^Could not find RecordSet$/);
  });
});

describe('openstack zone transfer', () => {
  let zone: string;
  let request: { id: string; key: string };
  let accept: string;
  beforeAll(async () => {
    zone = await createZone('sold.example.');
  });

  it('request create', async () => {
    const target = '--target-project-id other --description text';
    request = expectDone(await asSeller(`zone transfer request create ${zone} ${target} -f json`));
    expect(request).toMatchObject({
      zone_id: zone,
      zone_name: 'sold.example.',
      target_project_id: 'other',
      description: 'text',
      key: expect.stringMatching(/^[A-Z2-7]{26}$/),
      status: 'ACTIVE',
    });
    expectRefusal(
      await asSeller(`zone transfer request create ${zone}`),
      /already has an open transfer request/,
    );
  });

  it('request set', async () => {
    const changes = '--no-description --target-project-id buyer';
    const set = expectDone(await asSeller(`zone transfer request set ${request.id} ${changes} -f json`));
    expect(set).toMatchObject({ description: null, target_project_id: 'buyer', key: request.key });
  });

  it('request list and show, without the key for the target', async () => {
    const own = expectDone(await asSeller('zone transfer request list -f json'));
    expect(own).toMatchObject([{ id: request.id, zone_name: 'sold.example.', key: request.key }]);
    const [offered] = expectDone(await asBuyer('zone transfer request list -f json'));
    expect(offered).toMatchObject({ id: request.id, zone_id: zone, status: 'ACTIVE' });
    expect(JSON.stringify(offered)).not.toContain(request.key);
    const shown = expectDone(await asBuyer(`zone transfer request show ${request.id} -f json`));
    expect(shown).toMatchObject({ id: request.id, zone_name: 'sold.example.' });
    expect(shown).not.toHaveProperty('key');
  });

  it('accept request', async () => {
    const take = `zone transfer accept request --transfer-id ${request.id} -f json --key`;
    expectRefusal(await asBuyer(take, 'WRONG'), /The key does not match the transfer request/);
    const taken = expectDone(await asBuyer(take, request.key));
    expect(taken).toMatchObject({ status: 'COMPLETE', zone_id: zone, project_id: 'buyer' });
    accept = taken.id;
    expect(expectDone(await asBuyer('zone show sold.example. -f json')).project_id).toBe('buyer');
    expectRefusal(await asBuyer(take, request.key), /has already been used/);
  });

  it('accept show, and accept list for administrators', async () => {
    const shown = expectDone(await asBuyer(`zone transfer accept show ${accept} -f json`));
    expect(shown).toMatchObject({ id: accept, zone_transfer_request_id: request.id });
    const rows = expectDone(await asAdmin('zone transfer accept list --all-projects -f json'));
    expect(rows).toMatchObject([{ id: accept, zone_id: zone, project_id: 'buyer', status: 'COMPLETE' }]);
    expectRefusal(await asBuyer('zone transfer accept list'), /^Access Denied$/);
  });

  it('request delete', async () => {
    const { id } = expectDone(await asBuyer(`zone transfer request create ${zone} -f json`));
    expectDone(await asBuyer(`zone transfer request delete ${id}`));
    expectRefusal(await asBuyer(`zone transfer request show ${id}`), /^Could not find ZoneTransferRequest$/);
  });
});
