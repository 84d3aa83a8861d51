import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import type { TsigSecret as WireKey } from '../../../src/dns/wire/tsig.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import type { TsigKey } from '../../../src/model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { type Behaviour, type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';

let server: ScriptedServer;
let publishing: Publishing;

beforeEach(async () => {
  server = await startNameServer();
});

afterEach(async () => {
  await publishing.close();
  await server.close();
});

const SECRET = Buffer.from('a secret of the pool and its servers');
const WIRE_KEY: WireKey = { name: 'pool.example.', algorithm: 'hmac-sha256', secret: SECRET };
const KEY: TsigKey = {
  id: 'c2b0a3c0-0000-4000-8000-000000000001',
  name: 'pool.example',
  algorithm: 'hmac-sha256',
  secret: SECRET.toString('base64'),
  scope: 'POOL',
  resourceId: DEFAULT_POOL_ID,
  createdAt: '',
  updatedAt: null,
};

async function fault(zone: Zone): Promise<string | null | undefined> {
  return (await publishing.order(zone))?.servers[0]?.fault;
}

async function untilActive(zone: Zone): Promise<void> {
  await until(async () => expect(await publishing.status(zone)).toBe('ACTIVE'));
}

async function untilAsked(): Promise<void> {
  const { length } = server.heard;
  await until(() => expect(server.heard.length).toBeGreaterThan(length + 3));
}

describe('an answer', () => {
  it.each<[string, Partial<Behaviour>, string]>([
    ['comes from another port', { isFromElsewhere: true }, 'does not respond'],
    ['has another id', { id: 0 }, 'does not match the query'],
    ['is about another name', { name: 'two.example.' }, 'does not match the query'],
    ['is not authoritative', { aa: false }, 'not authoritatively'],
    ['has SERVFAIL', { rcode: RCODE.SERVFAIL }, 'SERVFAIL'],
  ])('does not count if it %s', async (_, behaviour, reason) => {
    publishing = await startPublishing({ nameservers: [server] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = (_, transport) =>
      transport === 'tcp' && behaviour.isFromElsewhere
        ? { isSilent: true }
        : { serial: zone.serial, ...behaviour };
    await until(async () => expect(await fault(zone)).toContain(reason));
    await untilAsked();
    expect(await publishing.status(zone)).toBe('PENDING');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
  });

  it('is asked for by TCP after one with TC', async () => {
    publishing = await startPublishing({ nameservers: [server] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial, isTruncated: true });
    await untilActive(zone);
    expect(server.heard).toContainEqual(expect.objectContaining({ transport: 'tcp' }));
  });

  it('is asked for by TCP where none comes by UDP', async () => {
    publishing = await startPublishing({ nameservers: [server] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = (_, transport) => ({ serial: zone.serial, isSilent: transport === 'udp' });
    await untilActive(zone);
  });
});

describe('a signature', () => {
  it('stands below every question and NOTIFY, and below the answers that count', async () => {
    publishing = await startPublishing({ nameservers: [server], tsigKey: 'pool.example' });
    publishing.startWorker({ keys: [KEY] });
    server.key = WIRE_KEY;
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
    expect(server.heard.filter(({ isSigned }) => !isSigned)).toEqual([]);
  });

  it.each<[string, Partial<Behaviour>, string]>([
    ['is missing', { signature: 'none' }, 'has no signature'],
    [
      'is made with another secret',
      { signature: { ...WIRE_KEY, secret: Buffer.from('x') } },
      'has a different secret',
    ],
    [
      'is made with another key',
      { signature: { ...WIRE_KEY, name: 'other.' } },
      'a different key than the query',
    ],
  ])('does not let an answer count if it %s', async (_, behaviour, reason) => {
    publishing = await startPublishing({ nameservers: [server], tsigKey: 'pool.example' });
    publishing.startWorker({ keys: [KEY] });
    server.key = WIRE_KEY;
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial, ...behaviour });
    await until(async () => expect(await fault(zone)).toContain(reason));
    expect(await publishing.status(zone)).toBe('PENDING');
  });

  it('may be missing from a REFUSED that came by TCP: Knot signs none for a zone that it has dropped', async () => {
    publishing = await startPublishing({ nameservers: [server], tsigKey: 'pool.example' });
    publishing.startWorker({ keys: [KEY] });
    server.key = WIRE_KEY;
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
    server.answer = (_, transport) =>
      transport === 'udp' ? { rcode: RCODE.REFUSED, signature: 'none' } : { serial: zone.serial };
    await publishing.remove(zone);
    await until(async () => expect(await fault(zone)).toContain('still has the zone'));
    server.answer = () => ({ rcode: RCODE.REFUSED, signature: 'none' });
    await until(async () => expect(await publishing.order(zone)).toBeUndefined());
  });

  it('that the server does not know leaves a removed zone where it is', async () => {
    publishing = await startPublishing({ nameservers: [server], tsigKey: 'pool.example' });
    publishing.startWorker({ keys: [KEY] });
    server.key = WIRE_KEY;
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
    server.key = { ...WIRE_KEY, name: 'other.' };
    server.answer = () => ({ rcode: RCODE.NOTAUTH });
    await publishing.remove(zone);
    await until(async () => expect(await fault(zone)).toContain('BADKEY'));
    expect(await publishing.order(zone)).toMatchObject({ isRemoval: true });
    server.key = WIRE_KEY;
    await until(async () => expect(await publishing.order(zone)).toBeUndefined());
  });

  it('is signed with the key of its server, if that has one of its own', async () => {
    const own = { ...WIRE_KEY, name: 'own.example.', secret: Buffer.from('a secret of one server') };
    const ownKey = { ...KEY, id: 'own', name: 'own.example', secret: own.secret.toString('base64') };
    const other = await startNameServer();
    try {
      publishing = await startPublishing({
        nameservers: [server, { host: other.host, port: other.port, tsigKey: 'own.example' }],
        tsigKey: 'pool.example',
      });
      publishing.startWorker({ keys: [KEY, ownKey] });
      server.key = WIRE_KEY;
      other.key = own;
      const zone = await publishing.create('one.example.');
      for (const one of [server, other]) one.answer = () => ({ serial: zone.serial });
      await untilActive(zone);
      await until(() => {
        for (const { heard } of [server, other])
          expect(heard.filter(({ opcode }) => opcode === OPCODE.NOTIFY)).not.toEqual([]);
      });
      for (const { heard } of [server, other]) expect(heard.every(({ isSigned }) => isSigned)).toBe(true);
      other.key = WIRE_KEY;
      await publishing.update(zone);
      await until(async () => expect((await publishing.order(zone))?.servers[1]?.fault).toContain('BADKEY'));
    } finally {
      await other.close();
    }
  });

  it('needs a key that is there', async () => {
    publishing = await startPublishing({ nameservers: [server], tsigKey: 'pool.example' });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    await until(async () => expect(await fault(zone)).toContain('The TSIG key of the pool does not exist'));
    expect(server.heard).toEqual([]);
  });
});

describe('a server that signs', () => {
  it('has a change once it serves the zone and has transferred the serial', async () => {
    publishing = await startPublishing({ nameservers: [server], signing: true });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial + 1000 });
    await until(async () => expect(await fault(zone)).toContain('has not fetched serial'));
    expect(await publishing.status(zone)).toBe('PENDING');
    const transferred = (from: string, serial: number) =>
      publishing.store.transaction(async (tx) =>
        tx.publications.transferCompleted(zone.id, from, serial, '2026-01-01T00:00:00.000000'),
      );
    await transferred('192.0.2.1', zone.serial);
    await transferred(server.host, zone.serial - 1);
    await untilAsked();
    expect(await publishing.status(zone)).toBe('PENDING');
    await transferred(server.host, zone.serial);
    await untilActive(zone);
  });
});

describe('a server that begins to sign', () => {
  it('has what was published before', async () => {
    publishing = await startPublishing({ nameservers: [server] });
    const worker = publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
    server.answer = () => ({ serial: zone.serial + 1000 });
    await publishing.setPool({ nameservers: [server], signing: true });
    const { length } = server.heard;
    await publishing.store.transaction(async (tx) =>
      tx.publications.orderAnew([zone.id], '2026-01-01T00:00:00.000000'),
    );
    worker.wake();
    await until(() => expect(server.heard.length).toBeGreaterThan(length));
    await until(async () => expect((await publishing.order(zone))?.dueAt).toBe(''));
    expect(await fault(zone)).toBeNull();
    const changed = await publishing.update(zone);
    await until(async () => expect(await fault(zone)).toContain(`has not fetched serial ${changed.serial}`));
  });
});

describe('a server that answers nothing', () => {
  it('holds up no zone of which another server is enough', async () => {
    publishing = await startPublishing({
      nameservers: [server, { host: '127.0.0.1', port: 1 }],
      threshold: 1,
    });
    publishing.startWorker();
    const serials = new Map<string, number>();
    server.answer = (name) => ({ serial: serials.get(name) ?? 0 });
    for (let index = 0; index < 30; index += 1) {
      const zone = await publishing.create(`z${index}.example.`);
      serials.set(zone.name, zone.serial);
      await untilActive(zone);
    }
  });

  it('gets what it lacks when it is back', async () => {
    publishing = await startPublishing({ nameservers: [server] });
    publishing.startWorker();
    server.answer = () => ({ isSilent: true });
    const zone = await publishing.create('one.example.');
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(5));
    expect(await fault(zone)).toBe('The name server does not respond.');
    server.answer = () => ({ serial: zone.serial });
    await untilActive(zone);
  });
});
