import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFullRun } from '../../support/in-full-run.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';
import { exportFile, importFile, unmanaged, zoneFile } from '../../support/zone-files.ts';

const LIMIT = 2000;

let service: TestService;
let tenant: Tenant;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: String(LIMIT) });
  tenant = await tenantOf(service, 'shop');
  token = await service.token('shop', 'member');
  const body = { zones: -1, recordset_records: -1 };
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
});
afterAll(() => service.remove());

/** A text record that takes so many bytes, with its quotation marks. */
const text = (bytes: number, mark = 'x') => `"${mark.repeat(bytes - 2)}"`;
/** Creates a recordset of so many bytes, of which its name takes a part. */
const fill = (zone: TestZone, label: string, bytes: number): Promise<Answer> => {
  const name = `${label}.${zone.name}`;
  return tenant.create(zone, { name, type: 'TXT', records: pieces(bytes - name.length) });
};
/** Records that take so many bytes in all, none longer than one string. */
function pieces(bytes: number): string[] {
  const most = 200;
  const marks = 'abcdefghijklmnopqrst';
  const whole = Math.max(0, Math.ceil(bytes / most) - 1);
  const records = Array.from({ length: whole }, (_, place) => text(most, marks[place]));
  return [...records, text(bytes - whole * most, 'z')];
}
const sizeOf = async (zone: TestZone): Promise<number> => {
  const answer = await service.request('GET', '/v2/quotas/shop/usage', { token });
  const { largest_zone } = answer.json;
  return largest_zone.id === zone.id ? largest_zone.bytes : Number.NaN;
};
function expectOverSize({ status, json }: Answer, needed: number): void {
  expect(status).toBe(413);
  expect(json.type).toBe('over_quota');
  expect(json.message).toContain(`Quota exceeded for max_zone_size: the limit is ${LIMIT}`);
  expect(json.message).toContain(`and ${needed} would be needed`);
}

describe('a zone', () => {
  it('takes as many bytes as the limit says, and not one more', async () => {
    const zone = await tenant.makeZone();
    expect((await fill(zone, 'a', LIMIT - 100)).status).toBe(202);
    expectOverSize(await fill(zone, 'b', 101), LIMIT + 1);
    expect((await fill(zone, 'b', 100)).status).toBe(202);
    expect(await sizeOf(zone)).toBe(LIMIT);
    expectOverSize(await fill(zone, 'c', 40), LIMIT + 40);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  });

  it('takes them back when a recordset shrinks or goes, and not one more when it grows', async () => {
    const zone = await tenant.makeZone();
    const { json: made } = await fill(zone, 'a', LIMIT);
    const path = `/v2/zones/${zone.id}/recordsets/${made.id}`;
    const own = LIMIT - made.name.length;
    expect((await tenant.ask('PUT', path, { records: pieces(own - 300) })).status).toBe(202);
    expect(await sizeOf(zone)).toBe(LIMIT - 300);
    expectOverSize(await tenant.ask('PUT', path, { records: pieces(own + 1) }), LIMIT + 1);
    expect((await tenant.ask('PUT', path, { records: pieces(own) })).status).toBe(202);
    expect((await tenant.ask('PUT', path, { ttl: 60 })).status).toBe(202);
    expect((await tenant.ask('DELETE', path)).status).toBe(202);
    expect((await fill(zone, 'b', LIMIT)).status).toBe(202);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  });

  it('counts the wire form of a record where it is larger than its text', async () => {
    const zone = await tenant.makeZone();
    const name = `a.${zone.name}`;
    await tenant.create(zone, { name, type: 'AAAA', records: ['::'] });
    expect(await sizeOf(zone)).toBe(name.length + 16);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  });

  it('is filled exactly by creates that come at once', async () => {
    const zone = await tenant.makeZone();
    const labels = Array.from({ length: 40 }, (_, number) => `h${number + 10}`);
    const answers = await Promise.all(labels.map((label) => fill(zone, label, 100)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(LIMIT / 100);
    expect(answers.filter(({ status }) => status === 413)).toHaveLength(40 - LIMIT / 100);
    expect(await sizeOf(zone)).toBe(LIMIT);
    await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  });

  it('that a file holds is as large as the limit at most', async () => {
    const lines = (bytes: number) => pieces(bytes).map((record) => `a 60 TXT ${record}`);
    const own = LIMIT - 'a.filled.example.'.length;
    const refused = await importFile(service, token, zoneFile('filled.example.', ...lines(own + 1)));
    expectOverSize(refused, LIMIT + 1);
    const taken = await importFile(service, token, zoneFile('filled.example.', ...lines(own)));
    expect(taken.status).toBe(202);
    const { json } = await tenant.ask('GET', '/v2/zones?name=filled.example.');
    expect(await sizeOf(json.zones[0])).toBe(LIMIT);
    const { text: file } = await exportFile(service, token, json.zones[0].id);
    expect(unmanaged(file).filter((line) => line.startsWith('a.'))).toHaveLength(lines(own).length);
    await tenant.ask('DELETE', `/v2/zones/${json.zones[0].id}`);
  });
});

describe('a recordset', () => {
  const roomy = { ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: '8388608' };
  /** Nearly 32 kB on the wire: 125 strings of 255 bytes, each with its length. */
  const half = (mark: string) => Array.from({ length: 125 }, () => `"${mark.repeat(255)}"`).join(' ');

  it('has to fit into one DNS message, by whatever way it comes', async () => {
    const other = await startTestService(roomy);
    const large = await tenantOf(other, 'shop');
    const zone = await large.makeZone();
    const name = `a.${zone.name}`;
    const two = [half('a'), half('b')];
    expect((await large.create(zone, { name, type: 'TXT', records: two })).status).toBe(202);
    const three = [
      ...two,
      `"${'c'.repeat(255)}" "${'c'.repeat(255)}" "${'c'.repeat(255)}" "${'c'.repeat(250)}"`,
    ];
    const refused = await large.create(zone, { name: `b.${zone.name}`, type: 'TXT', records: three });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ type: 'invalid_object' });
    expect(refused.json.errors.errors).toEqual([
      { path: ['records'], message: expect.stringContaining('To fit in one DNS message') },
    ]);
    const file = zoneFile('a.example.', ...three.map((record) => `b 60 TXT ${record}`));
    const imported = await importFile(other, await other.token('shop', 'member'), file);
    expect(imported.status).toBe(400);
    expect(imported.json.message).toMatch(/^Line 4: .*To fit in one DNS message/);
    await other.remove();
  });

  it('refuses a text that is many times longer than what it says', async () => {
    const zone = await tenant.makeZone();
    const name = `a.${zone.name}`;
    // Four bytes of address: the text can have 4 × 4 + 256 characters.
    const records = [`192.0.2.1${' '.repeat(300)}`];
    expect((await tenant.create(zone, { name, type: 'A', records })).status).toBe(202);
    const within = `10${' '.repeat(256)}mail.example.`;
    const beyond = `10${' '.repeat(400)}mail.example.`;
    expect((await tenant.create(zone, { name, type: 'MX', records: [beyond] })).json.errors.errors).toEqual([
      { path: ['records', 0], message: expect.stringContaining('The text has 415 characters') },
    ]);
    expect((await tenant.create(zone, { name, type: 'MX', records: [within] })).status).toBe(202);
  });
});

itInFullRun(
  'a page of large recordsets ends early, and the pages together have each of them once',
  async () => {
    const other = await startTestService({ ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: '16777216' });
    const large = await tenantOf(other, 'shop');
    const owner = await other.token('shop', 'member');
    const texts = Array.from({ length: 240 }, () => `"${'x'.repeat(255)}"`).join(' ');
    const lines = Array.from({ length: 150 }, (_, at) => `h${at} 60 TXT ${texts}`);
    expect((await importFile(other, owner, zoneFile('pages.example.', ...lines))).status).toBe(202);
    for (const query of [
      'type=TXT&limit=max',
      'type=TXT&limit=max&sort_key=name&sort_dir=desc',
      'limit=100',
    ]) {
      const names: string[] = [];
      let pages = 0;
      for (let url: string | undefined = `/v2/recordsets?${query}`; url !== undefined; pages++) {
        const { status, json, text: page } = await large.ask('GET', url);
        expect(status).toBe(200);
        expect(page.length).toBeLessThan(5_500_000);
        expect(json.metadata.total_count).toBeGreaterThanOrEqual(150);
        names.push(
          ...json.recordsets
            .filter((one: { type: string }) => one.type === 'TXT')
            .map((one: { name: string }) => one.name),
        );
        const next: string | undefined = json.links.next;
        url = next === undefined ? undefined : next.slice(new URL(next).origin.length);
      }
      expect(pages).toBeGreaterThan(2);
      expect(names).toHaveLength(150);
      expect(new Set(names).size).toBe(150);
    }
    await other.remove();
  },
);
