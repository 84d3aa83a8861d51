import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLASS, RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import {
  add,
  inUse,
  noSet,
  notInUse,
  recordExists,
  removeName,
  removeRecord,
  removeSet,
  type SendOptions,
  type SentUpdate,
  sendUpdate,
  setExists,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld({ ZONEWARDEN_SERVICE_API__MAX_CHANGES: '20' });
  await world.send({ updates: [add(HOST, 'A', 60, '192.0.2.1'), add(HOST, 'A', 60, '192.0.2.2')] });
});
afterAll(() => world.service.remove());

const HOST = 'host.shop.example.';
const NONE = 'none.shop.example.';
const ONE = add('new.shop.example.', 'A', 60, '192.0.2.1');
const A = (last: number) => Buffer.from([192, 0, 2, last]);

describe('an UPDATE with a wrong form is a FORMERR:', () => {
  it.each<readonly [string, Partial<SentUpdate>]>([
    ['no zone', { zones: 0 }],
    ['two zones', { zones: 2 }],
    ['a zone section of another type', { zoneType: 'A' }],
    ['an update of another class', { updates: [{ ...ONE, class: 3 }] }],
    ['a TTL over 2^31-1', { updates: [{ ...ONE, ttl: 2 ** 31 }] }],
    ['a record of a meta type', { updates: [{ ...ONE, type: 'ANY', rdata: A(1) }] }],
    ['a record without data', { updates: [{ name: HOST, type: 'A', class: CLASS.IN, ttl: 60 }] }],
    ['an address of three octets', { updates: [{ ...ONE, rdata: A(1).subarray(1) }] }],
    ['a deletion of a set with a TTL', { updates: [{ ...removeSet(HOST, 'A'), ttl: 1 }] }],
    ['a deletion of a set with data', { updates: [{ ...removeSet(HOST, 'A'), rdata: A(1) }] }],
    ['a deletion of a set of a meta type', { updates: [removeSet(HOST, 'AXFR')] }],
    ['a deletion of a record with a TTL', { updates: [{ ...removeRecord(HOST, 'A', '192.0.2.1'), ttl: 1 }] }],
    ['a deletion of a record of any type', { updates: [{ ...removeName(HOST), class: CLASS.NONE }] }],
    ['a prerequisite with a TTL', { prerequisites: [{ ...inUse(HOST), ttl: 1 }] }],
    ['a prerequisite of a name with data', { prerequisites: [{ ...inUse(HOST), rdata: A(1) }] }],
    ['a prerequisite of another class', { prerequisites: [{ ...inUse(HOST), class: 3 }] }],
    [
      'a prerequisite with data of any type',
      { prerequisites: [{ ...inUse(HOST), class: CLASS.IN, rdata: A(1) }] },
    ],
  ])('%s', async (_, update) => {
    const before = await world.contents();
    const answer = await world.send({ updates: [ONE], ...update });
    expect(answer).toMatchObject({ rcode: RCODE.FORMERR, tsigError: 0 });
    expect(await world.contents()).toEqual(before);
  });
});

describe('prerequisites', () => {
  const RECORDS = [recordExists(HOST, 'A', '192.0.2.2'), recordExists(HOST, 'A', '192.0.2.1')];

  it.each([
    ['the name is in use', [inUse(HOST)]],
    ['the name is not in use', [notInUse(NONE)]],
    ['the set exists', [setExists(HOST, 'A')]],
    ['there is no set', [noSet(HOST, 'TXT'), noSet(NONE, 'A')]],
    ['the set has these records', RECORDS],
    ['the zone has an SOA', [setExists('shop.example.', 'SOA')]],
  ])('that hold: %s', async (_, prerequisites) => {
    expect((await world.send({ prerequisites })).rcode).toBe(RCODE.NOERROR);
  });

  it.each([
    ['NXDOMAIN', [inUse(NONE)]],
    ['YXDOMAIN', [notInUse(HOST)]],
    ['NXRRSET', [setExists(HOST, 'TXT')]],
    ['NXRRSET', RECORDS.slice(1)],
    ['NXRRSET', [...RECORDS, recordExists(HOST, 'A', '192.0.2.3')]],
    ['NXRRSET', [recordExists(NONE, 'A', '192.0.2.3')]],
    ['YXRRSET', [noSet(HOST, 'A')]],
  ] as const)('that do not hold change nothing: %s', async (rcode, prerequisites) => {
    const before = await world.contents();
    const answer = await world.send({ prerequisites, updates: [ONE, removeName(HOST)] });
    expect(answer).toMatchObject({ rcode: RCODE[rcode], tsigError: 0, error: undefined });
    expect(await world.contents()).toEqual(before);
  });
});

describe('who may update', () => {
  const sendTo = (update: Partial<SentUpdate>, options: SendOptions) =>
    sendUpdate(world.address, { zone: 'shop.example.', updates: [ONE], ...update }, options);
  const other = (change: Partial<TsigSecret>): TsigSecret => ({ ...world.key, ...change });

  it('is no one without a signature, and the answer is a header', async () => {
    const { rcode, tsigError, length } = await sendTo({}, {});
    expect({ rcode, tsigError, length }).toEqual({ rcode: RCODE.REFUSED, tsigError: undefined, length: 12 });
  });

  it.each([
    ['an unknown key', () => ({ key: other({ name: 'unknown.' }) }), RCODE.BADKEY],
    ['another algorithm', () => ({ key: other({ algorithm: 'hmac-sha512' as const }) }), RCODE.BADKEY],
    ['a wrong secret', () => ({ key: other({ secret: Buffer.from('no') }) }), RCODE.BADSIG],
    ['a clock that is behind', () => ({ key: world.key, clockOff: -400 }), RCODE.BADTIME],
    [
      'a clock that is behind and a large fudge',
      () => ({ key: world.key, clockOff: -400, fudge: 5000 }),
      RCODE.BADTIME,
    ],
  ])('is NOTAUTH for %s', async (_, options, tsigError) => {
    const before = await world.contents();
    expect(await sendTo({}, options())).toMatchObject({ rcode: RCODE.NOTAUTH, tsigError });
    expect(await world.contents()).toEqual(before);
  });

  it('is no key without the permission', async () => {
    const { key } = await world.makeKey(undefined);
    expect(await sendTo({}, { key })).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 18, text: expect.stringContaining('permission') },
    });
  });

  it('is the key of the zone alone, whether or not another zone exists', async () => {
    const zone = await world.tenant.makeZone('other.example.');
    const { key } = await world.makeKey({ update: {} }, { resource_id: zone.id });
    const { key: gone } = await world.makeKey({ update: {} }, { resource_id: crypto.randomUUID() });
    for (const [name, by] of [
      ['shop.example.', key],
      ['shop.example.', gone],
      ['other.example.', world.key],
      ['missing.example.', world.key],
    ] as const) {
      const answer = await sendTo(
        { zone: name, updates: [add(`x.${name}`, 'A', 60, '192.0.2.1')] },
        { key: by },
      );
      expect([name, answer]).toMatchObject([name, { rcode: RCODE.NOTAUTH, tsigError: 0, error: undefined }]);
    }
  });

  it('is NOTAUTH for another class', async () => {
    expect((await world.send({ zoneClass: 3 })).rcode).toBe(RCODE.NOTAUTH);
  });

  it('ends with the key', async () => {
    const { id, key } = await world.makeKey({ update: {} });
    expect((await sendTo({}, { key })).rcode).toBe(RCODE.NOERROR);
    const { admin: token } = world.service;
    expect((await world.service.request('DELETE', `/v2/tsigkeys/${id}`, { token })).status).toBe(204);
    expect((await sendTo({}, { key })).rcode).toBe(RCODE.NOTAUTH);
  });
});

describe('names outside the zone', () => {
  it.each([
    ['an update', { updates: [add('example.', 'A', 60, '192.0.2.1')] }],
    [
      'an update of a name that only ends alike',
      { updates: [add('workshop.example.', 'A', 60, '192.0.2.1')] },
    ],
    ['a prerequisite', { prerequisites: [inUse('example.')] }],
  ])('are NOTZONE: %s', async (_, update) => {
    expect(await world.send(update)).toMatchObject({ rcode: RCODE.NOTZONE, tsigError: 0 });
  });
});

describe('what the API refuses is REFUSED, with its sentence:', () => {
  it.each([
    ['a type that signers make', add(HOST, 'TYPE46', 60, '\\# 1 00'), 'DNSSEC signer'],
    ['a name that is no host', add('a\\032b.shop.example.', 'A', 60, '192.0.2.1'), 'not a host name'],
    ['a name with a hyphen at an edge', add('-a.shop.example.', 'A', 60, '192.0.2.1'), 'hyphen'],
  ])('%s', async (_, step, text) => {
    await world.send({ updates: [add('dname.shop.example.', 'DNAME', 60, 'a.example.')] });
    const before = await world.contents();
    expect(await world.send({ updates: [ONE, removeName(HOST), step] })).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 0, text: expect.stringContaining(text) },
    });
    expect(await world.contents()).toEqual(before);
  });

  it('a record below a delegation', async () => {
    await world.send({ updates: [add('child.shop.example.', 'NS', 60, 'ns.example.')] });
    const answer = await world.send({ updates: [add('a.child.shop.example.', 'TXT', 60, '"x"')] });
    expect(answer).toMatchObject({ rcode: RCODE.REFUSED, error: { code: 0 } });
  });

  it('a protected recordset', async () => {
    const name = 'kept.shop.example.';
    const made = await world.tenant.create(world.zone, { name, type: 'A', records: ['192.0.2.1'] });
    const path = `/v2/zones/${world.zone.id}/recordsets/${made.json.id}`;
    expect((await world.tenant.ask('PUT', path, { protected: true })).status).toBeLessThan(300);
    expect(await world.send({ updates: [removeName(name)] })).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 0, text: expect.stringContaining('protected') },
    });
    expect(await world.contents()).toHaveProperty(`${name} A`);
  });

  it('more recordsets than max_changes', async () => {
    const updates = Array.from({ length: 21 }, (_, place) => removeSet(`n${place}.shop.example.`, 'A'));
    expect(await world.send({ updates })).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 0, text: expect.stringContaining('max_changes') },
    });
    expect((await world.send({ updates: updates.slice(1) })).rcode).toBe(RCODE.NOERROR);
  });

  it('a quota', async () => {
    const { admin: token } = world.service;
    const quota = (zone_recordsets: number | null) =>
      world.service.request('PATCH', '/v2/quotas/shop', { token, body: { zone_recordsets } });
    expect((await quota(1)).status).toBe(200);
    const answer = await world.send({ updates: [add('quota.shop.example.', 'A', 60, '192.0.2.1')] });
    expect(answer).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 0, text: expect.stringContaining('zone_recordsets') },
    });
    await quota(10_000);
  });

  it('without an OPT in the request, with no text', async () => {
    const answer = await world.send({ updates: [add(HOST, 'TYPE46', 60, '\\# 1 00')], hasOpt: false });
    expect(answer).toMatchObject({ rcode: RCODE.REFUSED, error: undefined });
  });
});
