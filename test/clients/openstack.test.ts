import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { type Outcome, openstackAs, requireOpenstack } from '../support/openstack/command.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Asks for JSON, where the command has something to show. */
const JSON_OUT = ['-f', 'json'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let service: ServiceProcess;
let asAdmin: ReturnType<typeof openstackAs>;
let asMember: ReturnType<typeof openstackAs>;
let asReader: ReturnType<typeof openstackAs>;

beforeAll(async () => {
  await requireOpenstack();
  service = await startServiceProcess({ ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403' });
  const as = (token: string) => openstackAs(`${service.url}/v2`, token);
  asAdmin = as(service.admin);
  asMember = as(service.token('tenant', 'member'));
  asReader = as(service.token('tenant', 'reader'));
});
afterAll(() => service?.remove());

/** The status with which the service answered the last request. */
function lastStatus(): unknown {
  return service.logged.filter(({ msg }) => msg === 'request').at(-1)?.status;
}

async function expectRefusal(outcome: Outcome, status: number, message: string | RegExp): Promise<void> {
  expect(outcome.message).toMatch(message);
  expect(outcome.status).not.toBe(0);
  // A line is logged shortly after the answer.
  await until(() => expect(lastStatus()).toBe(status));
}

function expectDone({ status, json, message }: Outcome) {
  expect({ status, message }).toEqual({ status: 0, message: '' });
  return json;
}

describe('openstack zone blacklist', () => {
  const pattern = '^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$';
  let id: string;

  it('create', async () => {
    const created = expectDone(
      await asAdmin('zone blacklist create --pattern', pattern, '--description', 'a test', ...JSON_OUT),
    );
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      pattern,
      description: 'a test',
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
    });
    id = created.id;
  });

  it('list', async () => {
    expect(expectDone(await asAdmin('zone blacklist list -f json'))).toEqual([
      { id, pattern, description: 'a test' },
    ]);
  });

  it('set, then show', async () => {
    const other = '^forbidden\\.example\\.$';
    expectDone(await asAdmin(`zone blacklist set ${id} --no-description --pattern`, other, ...JSON_OUT));
    expect(expectDone(await asAdmin(`zone blacklist show ${id} -f json`))).toEqual({
      id,
      pattern: other,
      description: null,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
  });

  it('refuses a pattern that is there already, one that is no pattern, and an unknown id', async () => {
    const add = (text: string) => asAdmin('zone blacklist create --pattern', text, ...JSON_OUT);
    await expectRefusal(await add('^forbidden\\.example\\.$'), 409, /^Duplicate Blacklist$/);
    await expectRefusal(await add('(unclosed'), 400, /pattern/);
    await expectRefusal(await asAdmin(`zone blacklist show ${UNKNOWN}`), 404, /^Blacklist not found$/);
  });

  it('is for administrators', async () => {
    await expectRefusal(await asMember('zone blacklist list'), 403, /^Access Denied$/);
  });

  it('refuses a zone of that name', async () => {
    const outcome = await asMember('zone create --email a@example.org Forbidden.Example.');
    await expectRefusal(outcome, 400, /^Blacklisted domain name$/);
  });

  it('delete', async () => {
    expectDone(await asAdmin(`zone blacklist delete ${id}`));
    expect(expectDone(await asAdmin('zone blacklist list -f json'))).toEqual([]);
  });
});

describe('openstack zone', () => {
  let id: string;

  it('create', async () => {
    const options = '--email a@example.org --ttl 600 --description text --attributes tier:gold -f json';
    const created = expectDone(await asMember(`zone create ${options} Mine.example.`));
    expect(created).toMatchObject({
      id: expect.stringMatching(UUID),
      name: 'mine.example.',
      email: 'a@example.org',
      ttl: 600,
      description: 'text',
      type: 'PRIMARY',
      status: 'PENDING',
      action: 'CREATE',
      project_id: 'tenant',
      version: 1,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
    });
    expect(created.attributes).toContain('tier:gold');
    id = created.id;
  });

  it('show by name and by id', async () => {
    const byName = expectDone(await asReader('zone show mine.example. -f json'));
    expect(byName).toMatchObject({ id, status: 'ACTIVE', action: 'NONE' });
    expect(expectDone(await asReader(`zone show ${id} -f json`))).toEqual(byName);
  });

  it('set by name and by id', async () => {
    const byName = await asMember('zone set mine.example. --ttl 700 --no-description -f json');
    expect(expectDone(byName)).toMatchObject({ ttl: 700, description: null, status: 'PENDING' });
    const byId = await asMember(`zone set ${id} --email b@example.org -f json`);
    expect(expectDone(byId)).toMatchObject({
      email: 'b@example.org',
      ttl: 700,
      action: 'UPDATE',
      version: 3,
    });
  });

  it('list, filtered and with the zones of other projects', async () => {
    const row = { id, name: 'mine.example.', type: 'PRIMARY', status: 'ACTIVE', action: 'NONE' };
    const own = expectDone(await asMember('zone list --name *.EXAMPLE. --ttl 700 -f json'));
    expect(own).toEqual([{ ...row, serial: expect.any(Number) }]);
    expect(expectDone(await asMember('zone list --name other.* -f json'))).toEqual([]);
    expect(expectDone(await asAdmin('zone list -f json'))).toEqual([]);
    const all = expectDone(await asAdmin('zone list --all-projects -f json'));
    expect(all).toEqual([{ ...row, project_id: 'tenant', serial: expect.any(Number) }]);
    const sudo = expectDone(await asAdmin('zone list --sudo-project-id tenant -f json'));
    expect(sudo).toEqual(own);
  });

  it('acts for another project for administrators alone', async () => {
    const create = 'zone create --email a@example.org --sudo-project-id other -f json sudo.example.';
    await expectRefusal(await asMember(create), 403, /^Access Denied$/);
    expect(expectDone(await asAdmin(create))).toMatchObject({ name: 'sudo.example.', project_id: 'other' });
    await expectRefusal(await asMember('zone list --all-projects'), 403, /^Access Denied$/);
  });

  it('refuses a duplicate, a bad name, a zone below that of another project, and a missing role', async () => {
    const create = (name: string) => asMember(`zone create --email a@example.org ${name}`);
    await expectRefusal(await create('mine.example.'), 409, /^A zone with this name already exists/);
    await expectRefusal(await create('no-final-dot.example'), 400, /name: /);
    await expectRefusal(await create('www.sudo.example.'), 403, /below a zone of another project/);
    await expectRefusal(await asReader(`zone delete ${id}`), 403, /^Access Denied$/);
  });

  it('delete by name, then by id', async () => {
    const byName = expectDone(await asMember('zone delete mine.example. -f json'));
    expect(byName).toMatchObject({ id, action: 'DELETE', status: 'PENDING' });
    await expectRefusal(await asMember(`zone delete ${id}`), 404, /^Could not find Zone$/);
    const [{ id: sudo }] = expectDone(await asAdmin('zone list --sudo-project-id other -f json'));
    expectDone(await asAdmin(`zone delete --all-projects ${sudo} -f json`));
    expect(expectDone(await asAdmin('zone list --all-projects -f json'))).toEqual([]);
  });

  it('list goes on to the following pages', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `z${number}.example.`);
    const paged = await startServiceProcess({ ZONEWARDEN_SERVICE_API__DEFAULT_LIMIT_V2: '4' });
    try {
      const token = paged.token('many', 'member');
      for (const name of names) await createZone(paged.url, token, name);
      const rows = expectDone(await openstackAs(`${paged.url}/v2`, token)('zone list -f json'));
      expect(rows.map(({ name }: { name: string }) => name)).toEqual(names);
    } finally {
      await paged.remove();
    }
  });
});

describe('openstack dns quota', () => {
  const DEFAULTS = {
    api_export_size: 1000,
    recordset_records: 20,
    zone_records: 500,
    zone_recordsets: 500,
    zones: 10,
  };

  it('list', async () => {
    expect(expectDone(await asMember('dns quota list --project-id tenant -f json'))).toEqual(DEFAULTS);
    expect(expectDone(await asAdmin('dns quota list --project-id tenant -f json'))).toEqual(DEFAULTS);
  });

  it('set', async () => {
    const set = await asAdmin('dns quota set --project-id tenant --zones 1 --zone-records -1 -f json');
    expect(expectDone(set)).toEqual({ ...DEFAULTS, zones: 1, zone_records: -1 });
  });

  it('is set by administrators alone', async () => {
    await expectRefusal(
      await asMember('dns quota set --project-id tenant --zones 5'),
      403,
      /^Access Denied$/,
    );
    await expectRefusal(await asAdmin('dns quota set --project-id tenant --zones -2'), 400, /zones: /);
  });

  it('holds', async () => {
    expectDone(await asMember('zone create --email a@example.org -f json one.example.'));
    await expectRefusal(
      await asMember('zone create --email a@example.org two.example.'),
      413,
      /zones: the limit is 1/,
    );
  });

  it('reset', async () => {
    expectDone(await asAdmin('dns quota reset --project-id tenant'));
    expect(expectDone(await asAdmin('dns quota list --project-id tenant -f json'))).toEqual(DEFAULTS);
  });
});

async function createZone(url: string, token: string, name: string): Promise<void> {
  const { status } = await fetch(`${url}/v2/zones`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: 'a@example.org' }),
  });
  expect(status).toBe(202);
}
