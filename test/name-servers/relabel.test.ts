/** Secondary zones whose master goes back to an earlier serial: RFC 9432 section 5.4. */
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, until } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { dig, rdataAt, serialAt } from '../support/name-servers/dig.ts';
import { documented, withOwn } from '../support/name-servers/document.ts';
import { type Master, startMaster, ZONE } from '../support/name-servers/masters.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Publishing, startPublishing } from '../support/name-servers/publishing.ts';
import { type Brand, startNameServer } from '../support/name-servers/servers.ts';

const WWW = `www.${ZONE}`;
const LOCAL = { ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8' };
const MEMBER = /(\n {2}- id: member\n(?: {4}.*\n)*)/;

let publishing: Publishing | undefined;
let master: Master | undefined;
let server: NameServer | undefined;
afterEach(async () => {
  await server?.remove();
  await master?.remove();
  await publishing?.remove();
  server = undefined;
  master = undefined;
  publishing = undefined;
});

const arrived = (address: string): Promise<void> =>
  until(async () => expect(await rdataAt(server!, WWW, 'A')).toEqual([address]));

const transferAnew = async (id: string): Promise<void> =>
  expect((await publishing!.ask('POST', `/v2/zones/${id}/tasks/xfr`)).status).toBe(202);

const messages = (): unknown[] => publishing!.service.log.map(({ msg }) => msg);

async function newMaster(port: number, address: string): Promise<void> {
  await master?.remove();
  const downstream = { port, noticePort: publishing!.upstream.port, secret: undefined };
  master = await startMaster('BIND', downstream, `www A ${address}\n`);
}

function signingPool(yaml: string): string {
  const [key, signing] = documented('DNSSEC', 'yaml').split('\n');
  return withOwn(yaml, { [`  ${key}\n`]: `  ${key}\n  ${signing}\n` });
}

/** A zone on a server with a serial later than 5, whose master has begun anew with 5. */
async function goneBack(brand: Brand, signs: boolean): Promise<string> {
  publishing = await startPublishing(LOCAL);
  const edit = (text: string) => (signs ? text.replace(MEMBER, `$1${documented('DNSSEC', 'knot')}`) : text);
  server = await startNameServer(brand, publishing.upstream, edit);
  await publishing.applyPool([server], signs ? signingPool : undefined);
  const port = await freePort();
  await newMaster(port, '192.0.2.1');
  const body = { name: ZONE, type: 'SECONDARY', masters: [`127.0.0.1:${port}`] };
  const { id } = (await publishing.ask('POST', '/v2/zones', body)).json;
  await arrived('192.0.2.1');
  await master!.update(`update add new.${ZONE} 60 A 192.0.2.3`);
  await until(async () => expect(await rdataAt(server!, `new.${ZONE}`, 'A')).toEqual(['192.0.2.3']));
  await publishing.zoneIs(id, 'ACTIVE');
  await newMaster(port, '192.0.2.2');
  return id;
}

describe.each<[Brand, boolean]>([
  ['BIND', false],
  ['Knot', false],
  ['Knot', true],
  ['PowerDNS', false],
])('on %s (signing: %s), a zone whose master goes back', (brand, signs) => {
  it('is fetched afresh after tasks/xfr, with new keys where the server signs', async () => {
    const id = await goneBack(brand, signs);
    const keys = await dig(server!, ZONE, 'DNSKEY');
    await transferAnew(id);
    await arrived('192.0.2.2');
    await publishing!.zoneIs(id, 'ACTIVE');
    if (!signs) expect(await serialAt(server!, ZONE)).toBe(5);
    const others = await eventually(async () => {
      const found = await dig(server!, ZONE, 'DNSKEY');
      return !signs || found.records.some(({ type }) => type === 'DNSKEY') ? found : undefined;
    });
    const keysOf = ({ records }: typeof keys) =>
      records.flatMap(({ type, rdata }) => (type === 'DNSKEY' ? [rdata] : []));
    const kept = keysOf(keys).filter((key) => keysOf(others).includes(key));
    expect([keysOf(keys).length > 0, kept]).toEqual([signs, []]);
    await until(() => expect(messages()).toContainEqual(expect.stringContaining('refetch a zone')));
  });
});
