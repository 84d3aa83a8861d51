import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret } from '../../../src/dns/wire/tsig.ts';
import { refusalOf } from '../../support/events.ts';
import { inStoreOf } from '../../support/store.ts';
import {
  add,
  inUse,
  removeName,
  removeRecord,
  removeSet,
  type SentUpdate,
  setExists,
  type UpdateWorld,
  updateWorld,
} from '../../support/updates.ts';

let world: UpdateWorld;
beforeAll(async () => {
  world = await updateWorld();
});
afterAll(() => world.service.remove());

const HOST = 'host.shop.example.';
const ACME = '_acme-challenge.host.shop.example.';
const token = add(ACME, 'TXT', 60, '"token"');

async function keyWith(update: object): Promise<TsigSecret> {
  return (await world.makeKey({ update })).key;
}

/** The scope's key that refuses the message; undefined if it is not refused by a scope. */
async function refusedBy(key: TsigSecret, update: Partial<SentUpdate>): Promise<string | undefined> {
  const { rcode, error } = await world.send(update, { key });
  if (rcode !== RCODE.REFUSED) return undefined;
  expect(error?.code).toBe(18);
  return /"(\w+)"/.exec(error?.text ?? '')?.[1];
}

describe('a key with a scope', () => {
  it('that limits the lifetime of records moves the end of what it sends again', async () => {
    const key = await keyWith({ names: ['again'], record_lifetime: 3600 });
    const name = 'again.shop.example.';
    await world.send({ updates: [add(name, 'A', 60, '192.0.2.1')] }, { key });
    const endOf = async () => {
      const where = `name = '${name}'`;
      const [row] = await inStoreOf(
        world.service.dataDir,
        `select expires_at from recordsets where ${where}`,
      );
      return String(row!.expires_at);
    };
    const first = await endOf();
    const again = { updates: [removeSet(name, 'A'), add(name, 'A', 60, '192.0.2.1')] };
    expect((await world.send(again, { key })).rcode).toBe(RCODE.NOERROR);
    expect((await endOf()) > first).toBe(true);
    const only = await keyWith({ names: ['again'], actions: ['create', 'delete'], record_lifetime: 3600 });
    expect((await world.send({ updates: [add(name, 'A', 60, '192.0.2.1')] }, { key: only })).rcode).toBe(
      RCODE.NOERROR,
    );
  });

  it('writes the names and types of its scope alone', async () => {
    const key = await keyWith({ names: ['_acme-challenge.**'], types: ['TXT'] });
    expect((await world.send({ updates: [removeSet(ACME, 'TXT'), token] }, { key })).rcode).toBe(
      RCODE.NOERROR,
    );
    expect(await world.contents()).toHaveProperty(`${ACME} TXT`);
    expect(await refusedBy(key, { updates: [token, add(HOST, 'TXT', 60, '"x"')] })).toBe('names');
    expect(await refusedBy(key, { updates: [add(ACME, 'A', 60, '192.0.2.1')] })).toBe('types');
    expect(await refusedBy(key, { updates: [removeName(HOST)] })).toBe('names');
  });

  it('learns nothing about other names and types from prerequisites', async () => {
    const key = await keyWith({ names: ['_acme-challenge.**'], types: ['TXT'] });
    await world.send({ updates: [add(HOST, 'A', 60, '192.0.2.1')] });
    for (const name of [HOST, 'missing.shop.example.'])
      expect(await refusedBy(key, { prerequisites: [inUse(name)] })).toBe('names');
    expect(await refusedBy(key, { prerequisites: [setExists(ACME, 'A')] })).toBe('types');
    expect((await world.send({ prerequisites: [inUse(`x.${ACME}`)] }, { key })).rcode).toBe(RCODE.REFUSED);
    const own = await keyWith({ names: ['host'], types: ['TXT'] });
    expect((await world.send({ prerequisites: [inUse(HOST)] }, { key: own })).rcode).toBe(RCODE.NOERROR);
  });

  it('is refused without a word of the records that its scope hides', async () => {
    const key = await keyWith({ names: ['**.cut'], types: ['TXT'] });
    await world.send({ updates: [add('cut.shop.example.', 'NS', 60, 'ns.example.net.')] });
    const { rcode, error } = await world.send(
      { updates: [add('below.cut.shop.example.', 'TXT', 60, '"x"')] },
      { key },
    );
    expect([rcode, error?.text]).toEqual([
      RCODE.REFUSED,
      expect.stringContaining('Other records, which your scope hides, do not allow a recordset here.'),
    ]);
  });

  it('deletes a name only if it may write every type there', async () => {
    const name = 'both.shop.example.';
    const key = await keyWith({ types: ['TXT'] });
    await world.send({ updates: [add(name, 'TXT', 60, '"x"'), add(name, 'A', 60, '192.0.2.1')] });
    expect(await refusedBy(key, { updates: [removeName(name)] })).toBe('types');
    await world.send({ updates: [removeSet(name, 'A')] });
    expect((await world.send({ updates: [removeName(name)] }, { key })).rcode).toBe(RCODE.NOERROR);
  });

  it('does the actions of its scope alone', async () => {
    const name = 'action.shop.example.';
    const key = await keyWith({ actions: ['create'] });
    const create = { updates: [add(name, 'A', 60, '192.0.2.1')] };
    expect((await world.send(create, { key })).rcode).toBe(RCODE.NOERROR);
    expect((await world.send(create, { key })).rcode).toBe(RCODE.NOERROR);
    expect(await refusedBy(key, { updates: [add(name, 'A', 60, '192.0.2.2')] })).toBe('actions');
    expect(await refusedBy(key, { updates: [removeRecord(name, 'A', '192.0.2.1')] })).toBe('actions');
  });

  it('writes from the networks of its scope alone', async () => {
    expect(await refusedBy(await keyWith({ networks: ['192.0.2.0/24'] }), { updates: [token] })).toBe(
      'networks',
    );
    expect(await refusedBy(await keyWith({ networks: ['127.0.0.1'] }), { updates: [token] })).toBe(undefined);
  });

  it('writes as often as its scope says, refused messages included', async () => {
    const key = await keyWith({ types: ['TXT'], rate: { writes: 2, per_seconds: 3600 } });
    expect((await world.send({ updates: [token] }, { key })).rcode).toBe(RCODE.NOERROR);
    expect(await refusedBy(key, { updates: [add(HOST, 'A', 60, '192.0.2.1')] })).toBe('types');
    expect(await world.send({ updates: [token] }, { key })).toMatchObject({
      rcode: RCODE.REFUSED,
      error: { code: 18, text: expect.stringContaining('rate') },
    });
  });

  it('leaves an event when it is refused', async () => {
    const key = await keyWith({ types: ['TXT'] });
    await refusedBy(key, { updates: [add(HOST, 'A', 60, '192.0.2.1')] });
    const refusal = await refusalOf(world.service, 'policy');
    const actor = { project_id: 'shop', user_id: expect.stringMatching(/^key-/), address: '127.0.0.1' };
    expect(refusal).toMatchObject({ actor, target: { id: world.zone.id } });
  });
});

describe('the permissions of a key', () => {
  const create = (permissions: unknown, more: object = {}) =>
    world.service.request('POST', '/v2/tsigkeys', {
      token: world.service.admin,
      body: {
        name: `made-${crypto.randomUUID()}`,
        algorithm: 'hmac-sha256',
        secret: 'AAAA',
        scope: 'ZONE',
        resource_id: world.zone.id,
        permissions,
        ...more,
      },
    });

  it('are shown in canonical form', async () => {
    const update = {
      names: ['_ACME-challenge.**', '@'],
      types: ['TYPE16'],
      rate: { writes: 1, per_seconds: 60 },
    };
    const { status, json } = await create({ transfer: true, update });
    expect([status, json.permissions]).toEqual([
      201,
      { transfer: true, update: { ...update, names: ['_acme-challenge.**', '@'], types: ['TXT'] } },
    ]);
    const { json: read } = await world.service.request('GET', `/v2/tsigkeys/${json.id}`, {
      token: world.service.admin,
    });
    expect(read).toEqual(json);
    expect((await create({ update: {} })).json.permissions).toEqual({ transfer: false, update: {} });
  });

  it.each([
    [{}, 'permission'],
    [{ transfer: false, update: null }, 'permission'],
    [{ update: { zones: ['a.example.'] } }, 'unknown'],
    [{ update: { names: [] } }, 'at least 1'],
    [{ update: { actions: ['create_token'] } }, 'tokens'],
    [{ write: true }, 'unknown'],
  ])('are refused: %j', async (permissions, message) => {
    const { status, json } = await create(permissions);
    expect([status, json.type, json.message]).toEqual([
      400,
      'invalid_object',
      expect.stringContaining(message),
    ]);
  });

  it('are for keys of a zone alone', async () => {
    const pool = { scope: 'POOL', resource_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842' };
    const { status, json } = await create({ update: {} }, pool);
    expect([status, json.type]).toEqual([400, 'invalid_object']);
  });
});
