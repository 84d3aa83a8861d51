import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import {
  add,
  removeName,
  removeRecord,
  removeSet,
  type SentRecord,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld();
});
afterAll(() => world.service.remove());

const WWW = 'www.shop.example.';
const update = async (...updates: SentRecord[]) => (await world.send({ updates })).rcode;

describe('an UPDATE', () => {
  it.each([false, true])('adds records, over UDP and TCP (%s)', async (isTcp) => {
    const name = `${isTcp ? 'tcp' : 'udp'}.shop.example.`;
    const before = await world.serial();
    const answer = await world.send({ updates: [add(name, 'A', 60, '192.0.2.1')] }, { isTcp });
    expect(answer).toMatchObject({ rcode: RCODE.NOERROR, tsigError: 0, error: undefined });
    expect(await world.contents()).toMatchObject({ [`${name} A`]: [60, ['192.0.2.1']] });
    expect(await world.serial()).toBeGreaterThan(before);
  });

  it('applies its steps one after another, as one change', async () => {
    await update(add(WWW, 'A', 60, '192.0.2.1'), add(WWW, 'TXT', 60, '"one"'));
    const steps = [removeName(WWW), add(WWW, 'A', 300, '192.0.2.2'), add(WWW, 'A', 300, '192.0.2.3')];
    expect(await update(...steps)).toBe(RCODE.NOERROR);
    const contents = await world.contents();
    expect(contents).toMatchObject({ [`${WWW} A`]: [300, ['192.0.2.2', '192.0.2.3']] });
    expect(contents).not.toHaveProperty(`${WWW} TXT`);
  });

  it('that changes nothing leaves the serial alone', async () => {
    await update(add(WWW, 'A', 300, '192.0.2.9'));
    const before = await world.serial();
    const steps = [
      add(WWW, 'A', 300, '192.0.2.9'),
      removeSet('missing.shop.example.', 'A'),
      removeName('missing.shop.example.'),
      removeRecord(WWW, 'A', '192.0.2.77'),
      // Added, and removed again.
      add('short.shop.example.', 'TXT', 60, '"x"'),
      removeName('short.shop.example.'),
    ];
    expect(await update(...steps)).toBe(RCODE.NOERROR);
    expect(await world.serial()).toBe(before);
  });

  it('gives a set the TTL of the record that is added last, even if it is there already', async () => {
    const name = 'ttl.shop.example.';
    await update(add(name, 'A', 60, '192.0.2.1'), add(name, 'A', 90, '192.0.2.2'));
    expect((await world.contents())[`${name} A`]?.[0]).toBe(90);
    await update(add(name, 'A', 30, '192.0.2.1'));
    expect((await world.contents())[`${name} A`]).toEqual([30, ['192.0.2.1', '192.0.2.2']]);
  });

  it('ignores data beside a CNAME, and a CNAME beside data; a CNAME replaces another', async () => {
    const [alias, host] = ['alias.shop.example.', 'host.shop.example.'];
    await update(add(alias, 'CNAME', 60, 'a.example.'), add(host, 'A', 60, '192.0.2.1'));
    const steps = [
      add(alias, 'A', 60, '192.0.2.1'),
      add(host, 'CNAME', 60, 'a.example.'),
      add(alias, 'CNAME', 60, 'b.example.'),
    ];
    expect(await update(...steps)).toBe(RCODE.NOERROR);
    const contents = await world.contents();
    expect(contents[`${alias} CNAME`]).toEqual([60, ['b.example.']]);
    expect(contents).not.toHaveProperty(`${alias} A`);
    expect(contents).not.toHaveProperty(`${host} CNAME`);
  });

  it('replaces a DNAME with another', async () => {
    const tree = 'tree.shop.example.';
    await update(add(tree, 'DNAME', 60, 'a.example.'));
    expect(await update(add(tree, 'DNAME', 60, 'b.example.'))).toBe(RCODE.NOERROR);
    expect((await world.contents())[`${tree} DNAME`]).toEqual([60, ['b.example.']]);
  });

  it('takes types without a form of their own', async () => {
    const rdata = '\\# 3 010203';
    expect(await update(add('dhcp.shop.example.', 'TYPE49', 60, rdata))).toBe(RCODE.NOERROR);
    expect(await world.contents()).toMatchObject({ 'dhcp.shop.example. TYPE49': [60, [rdata]] });
  });

  it('is in the history and in the events, with the key and the address', async () => {
    await update(add('seen.shop.example.', 'A', 60, '192.0.2.1'));
    const { json } = await world.tenant.ask('GET', `/v2/zones/${world.zone.id}/changes?limit=1`);
    expect(json.changes[0]).toMatchObject({ door: 'update' });
    expect(JSON.stringify(json.changes[0])).toContain(world.key.name.slice(0, -1));
    expect(JSON.stringify(json.changes[0])).toContain('127.0.0.1');
  });
});

describe('the apex', () => {
  const APEX = 'shop.example.';

  it('keeps SOA and NS whatever is deleted, and loses the rest', async () => {
    await update(add(APEX, 'TXT', 60, '"apex"'));
    const steps = [removeName(APEX), removeSet(APEX, 'SOA'), removeSet(APEX, 'NS')];
    expect(await update(...steps)).toBe(RCODE.NOERROR);
    expect(await world.contents()).not.toHaveProperty(`${APEX} TXT`);
    const { json } = await world.tenant.ask('GET', `/v2/zones/${world.zone.id}/recordsets?name=${APEX}`);
    expect(json.recordsets.map(({ type }: { type: string }) => type).sort()).toEqual(['NS', 'SOA']);
  });

  it('refuses another SOA, and an NS record that is added', async () => {
    const before = await world.serial();
    const soa = `. . ${before + 10} 1 1 1 1`;
    expect(await update(add(APEX, 'SOA', 60, soa))).toBe(RCODE.REFUSED);
    expect(await update(add(APEX, 'NS', 60, 'other.example.'))).toBe(RCODE.REFUSED);
    expect(await update(add(APEX, 'SOA', 60, `. . ${before - 1} 1 1 1 1`))).toBe(RCODE.NOERROR);
    expect(await update(add('sub.shop.example.', 'SOA', 60, soa))).toBe(RCODE.NOERROR);
    expect(await world.serial()).toBe(before);
  });
});
