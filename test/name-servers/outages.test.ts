import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, until } from '../support/eventually.ts';
import { answeredAt, rdataAt, serialAt } from '../support/name-servers/dig.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Pool, startPool } from '../support/name-servers/publishing.ts';

let pool: Pool;
beforeAll(async () => {
  pool = await startPool(['BIND', 'Knot'], { ZONEWARDEN_SERVICE_WORKER__ERROR_AFTER: '3' });
});
afterAll(() => pool?.remove());

/** Does something while a server is stopped. A failure does not leave it stopped for the tests after it. */
async function without<T>(server: NameServer, work: () => Promise<T>): Promise<T> {
  await server.stop();
  return work().finally(() => server.start());
}

async function makeZones(prefix: string, count: number): Promise<{ id: string; name: string }[]> {
  const names = Array.from({ length: count }, (_, at) => `${prefix}-${at}.example.org.`);
  return Promise.all(names.map((name) => pool.makeZone(name)));
}

interface ServerOfAnswer {
  readonly port: number;
  readonly serial: number | null;
  readonly expected_serial: number;
  readonly fault: string | null;
}

describe('a name server that is away', () => {
  it('is named with the reason beside the one that has the zone', async () => {
    const [bind, knot] = pool.servers;
    const { id, serial } = await without(bind!, async () => {
      const zone = await pool.makeZone('half.example.org.');
      await pool.zoneIs(zone.id, 'ERROR');
      // A loaded machine may bring the zone to Knot later than it shows ERROR.
      await until(async () => {
        const { json } = await pool.ask('GET', `/v2/zones/${zone.id}/publication`);
        const [ofBind, ofKnot] = [bind!, knot!].map(({ port }) =>
          (json.servers as ServerOfAnswer[]).find((server) => server.port === port),
        );
        expect(ofBind).toMatchObject({
          serial: null,
          expected_serial: zone.serial,
          fault: 'Connection refused by the name server.',
        });
        expect(ofKnot).toMatchObject({ serial: zone.serial, fault: null });
        expect(json.error).toContain('1 of 2 required');
      });
      return zone;
    });
    await pool.zoneIs(id, 'ACTIVE');
    const after = await pool.ask('GET', `/v2/zones/${id}/publication`);
    expect(after.json).toMatchObject({ error: null, published_serial: serial });
  });

  it('leaves a zone PENDING, and in ERROR when it stays away; what it missed, it gets', async () => {
    const [bind, knot] = pool.servers;
    const changed = await pool.zoneIs((await pool.makeZone('changed.example.org.')).id, 'ACTIVE');
    const deleted = await pool.zoneIs((await pool.makeZone('deleted.example.org.')).id, 'ACTIVE');
    const www = { name: 'www.changed.example.org.', type: 'A', records: ['192.0.2.7'] };
    const made = await without(bind!, async () => {
      expect((await pool.addRecordset(changed.id, www)).status).toBe(202);
      expect((await pool.ask('DELETE', `/v2/zones/${deleted.id}`)).status).toBe(202);
      const missed = await makeZones('missed', 5);
      expect((await pool.ask('GET', `/v2/zones/${missed[0]!.id}`)).json.status).toBe('PENDING');
      for (const { id } of [changed, deleted, ...missed]) await pool.zoneIs(id, 'ERROR');
      const names = missed.map(({ name }) => name);
      await until(async () => expect((await answeredAt(knot!, names)).size).toBe(names.length));
      return missed;
    });
    const names = made.map(({ name }) => name);
    for (const { id } of [changed, ...made]) await pool.zoneIs(id, 'ACTIVE');
    await pool.zoneIsGone(deleted.id);
    expect(await answeredAt(bind!, names)).toEqual(new Set(names));
    expect(await rdataAt(bind!, www.name, 'A')).toEqual(['192.0.2.7']);
    expect(await serialAt(bind!, 'deleted.example.org.')).toBeUndefined();
  });
});

describe('a service that is away', () => {
  it('leaves its name servers answering, restarted ones too', async () => {
    const zone = await pool.zoneIs((await pool.makeZone('alone.example.org.')).id, 'ACTIVE');
    await pool.service.end();
    for (const server of pool.servers) {
      await server.stop();
      await server.start();
      const serial = await eventually(() => serialAt(server, zone.name));
      expect(serial).toBe(zone.serial);
    }
    await pool.restart();
  });

  it('brings to them what was committed before it was killed', async () => {
    const made = await makeZones('killed', 20);
    await pool.restart('SIGKILL');
    for (const { id } of made) await pool.zoneIs(id, 'ACTIVE');
    const names = made.map(({ name }) => name);
    for (const server of pool.servers) expect(await answeredAt(server, names)).toEqual(new Set(names));
  });
});
