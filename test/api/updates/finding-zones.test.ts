import { afterAll, beforeAll, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { askByUdp, DnsConnection, transferFrom } from '../../support/dns-client.ts';
import { add, type UpdateWorld, updateWorld } from '../../support/updates.ts';

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld();
});
afterAll(() => world.service.remove());

const APEX = 'shop.example.';
const soa = () => expect.objectContaining({ name: APEX, type: 6 });

it('A key for updates that asks for the SOA of its zone gets it as the answer, with authority', async () => {
  const { header, answers, authority } = await askByUdp(world.address, {
    name: APEX,
    type: 'SOA',
    key: world.key,
  });
  expect(header).toMatchObject({ aa: true, rcode: RCODE.NOERROR });
  expect([answers, authority]).toEqual([[soa()], []]);
});

it.each(['www.shop.example.', 'a.b.c.shop.example.'])(
  'It gets the SOA of its zone beside the answer for %s, which need not exist',
  async (name) => {
    const connection = await DnsConnection.open(world.address);
    const ask = { name, type: 'SOA', key: world.key } as const;
    for (const answer of [await askByUdp(world.address, ask), await connection.ask(ask)]) {
      expect(answer.header).toMatchObject({ aa: true, rcode: RCODE.NOERROR });
      expect([answer.answers, answer.authority]).toEqual([[], [soa()]]);
    }
    connection.close();
  },
);

it.each(['example.', 'other.example.', 'workshop.example.'])('It is refused the SOA for %s', async (name) => {
  const { header, authority } = await askByUdp(world.address, { name, type: 'SOA', key: world.key });
  expect([header.rcode, authority]).toEqual([RCODE.REFUSED, []]);
});

it('A key without the permission is refused below the apex', async () => {
  const { key } = await world.makeKey(undefined);
  const { header } = await askByUdp(world.address, { name: `www.${APEX}`, type: 'SOA', key });
  expect(header.rcode).toBe(RCODE.REFUSED);
});

it('A key for updates alone transfers nothing', async () => {
  const { rcode } = await transferFrom(world.address, { name: APEX, type: 'AXFR', key: world.key });
  expect(rcode).toBe(RCODE.REFUSED);
});

it('A key for updates gets the records of names and types in its scope, as its prerequisites could', async () => {
  const name = `www.${APEX}`;
  await world.send({ updates: [add(name, 'A', 60, '192.0.2.1'), add(name, 'TXT', 60, '"x"')] });
  const { key } = await world.makeKey({ update: { names: ['www', 'none'], types: ['A'] } });
  const ask = (about: { name: string; type: 'A' | 'TXT' | 'ANY' }) =>
    askByUdp(world.address, { ...about, key });
  const found = await ask({ name, type: 'A' });
  expect(found.header).toMatchObject({ aa: true, rcode: RCODE.NOERROR });
  expect(found.answers).toMatchObject([{ name, ttl: 60, rdata: '192.0.2.1' }]);
  const none = await ask({ name: `none.${APEX}`, type: 'A' });
  expect([none.header.rcode, none.answers, none.authority]).toEqual([RCODE.NOERROR, [], [soa()]]);
  for (const other of [
    { name, type: 'TXT' },
    { name, type: 'ANY' },
    { name: `other.${APEX}`, type: 'A' },
  ] as const) {
    const { header, answers } = await ask(other);
    expect([header.rcode, answers]).toEqual([RCODE.REFUSED, []]);
  }
});
