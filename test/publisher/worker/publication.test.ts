import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';

let first: ScriptedServer;
let second: ScriptedServer;
let publishing: Publishing;

beforeEach(async () => {
  first = await startNameServer();
  second = await startNameServer();
});

afterEach(async () => {
  await publishing.close();
  await first.close();
  await second.close();
});

const has = (serial: number) => () => ({ serial });
const lacks = () => ({ rcode: RCODE.REFUSED });

async function faults(zone: Zone): Promise<(string | null)[]> {
  return (await publishing.order(zone))!.servers.map(({ fault }) => fault);
}

async function untilActive(zone: Zone): Promise<void> {
  await until(async () => expect(await publishing.status(zone)).toBe('ACTIVE'));
}

describe('a zone that is published', () => {
  it('is ACTIVE once all servers answer with its serial, and not before', async () => {
    publishing = await startPublishing({ nameservers: [first, second] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    const refused = 'The server does not have the zone, or does not accept queries from here (REFUSED).';
    await until(async () => expect(await faults(zone)).toEqual([null, refused]));
    expect(await publishing.status(zone)).toBe('PENDING');
    second.answer = has(zone.serial);
    await untilActive(zone);
    await until(async () => expect((await publishing.order(zone))?.dueAt).toBe(''));
    expect(await faults(zone)).toEqual([null, null]);
  });

  it('is ACTIVE once as many servers answer with its serial as the pool says', async () => {
    publishing = await startPublishing({ nameservers: [first, second], threshold: 1 });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    second.answer = has(zone.serial);
    await untilActive(zone);
    await until(async () => expect(await faults(zone)).toEqual([expect.stringContaining('REFUSED'), null]));
    first.answer = has(zone.serial);
    await until(async () => expect(await faults(zone)).toEqual([null, null]));
  });

  it('is PENDING again after a change, until its servers have that', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    await untilActive(zone);
    const changed = await publishing.update(zone);
    expect(await publishing.status(zone)).toBe('PENDING');
    await until(async () =>
      expect(await faults(zone)).toEqual([
        `The server has serial ${zone.serial} and should have ${changed.serial}.`,
      ]),
    );
    first.answer = has(changed.serial);
    await untilActive(zone);
  });

  it('is not ACTIVE by a serial later than any that was given', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial + 5);
    await until(async () => expect((await faults(zone))[0]).toContain('later than any published serial'));
    expect(await publishing.status(zone)).toBe('PENDING');
  });

  it('is ACTIVE after the serials went round', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    const zone = await publishing.create('one.example.');
    await publishing.inStore(
      `update publications set serial = 3, published_serial = 4294967290`,
      `update zones set serial = 3`,
    );
    first.answer = has(4294967295);
    publishing.startWorker();
    await until(async () =>
      expect(await faults(zone)).toEqual(['The server has serial 4294967295 and should have 3.']),
    );
    expect(await publishing.order(zone)).toMatchObject({ publishedSerial: 4294967295 });
    first.answer = has(3);
    await untilActive(zone);
  });

  it('is in ERROR with the reason once its servers stayed away for too long, and ACTIVE when they come back', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    publishing.startWorker({ settings: { errorAfterMs: 1 } });
    const zone = await publishing.create('one.example.');
    await until(async () => expect(await publishing.status(zone)).toBe('ERROR'));
    expect((await publishing.order(zone))?.error).toBe(
      'Too few name servers have the zone as it is: 0 of 1 required. The server does not have the zone, or does not accept queries from here (REFUSED).',
    );
    first.answer = has(zone.serial);
    await untilActive(zone);
    expect((await publishing.order(zone))?.error).toBe('');
  });

  it('keeps an error that says that it cannot be published', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    const zone = await publishing.create('one.example.');
    await publishing.store.transaction(async (tx) =>
      tx.publications.fail(zone.id, 'A record cannot be encoded.'),
    );
    publishing.startWorker({ settings: { errorAfterMs: 1 } });
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
    expect((await publishing.order(zone))?.error).toBe('A record cannot be encoded.');
  });
});

describe('NOTIFY', () => {
  const notified = (server: ScriptedServer, name: string) =>
    server.heard.filter((asked) => asked.opcode === OPCODE.NOTIFY && asked.name === name).length;

  it('tells all servers of the catalog that a zone is new, and of the zone only when it changes', async () => {
    publishing = await startPublishing({
      nameservers: [first],
      alsoNotifies: [second],
      catalog: 'catalog.example.',
    });
    // Nothing is sent a second time.
    const long = 60_000;
    const notify = { firstMs: long, factor: 1, maxMs: long };
    publishing.startWorker({ settings: { notifyBackoff: notify, confirmForMs: long, leaseMs: 2 * long } });
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    await untilActive(zone);
    await until(() => expect(notified(first, 'catalog.example.')).toBe(1));
    await until(() => expect(notified(second, 'catalog.example.')).toBe(1));
    expect(notified(first, 'one.example.')).toBe(0);
    const changed = await publishing.update(zone);
    await until(() => expect(notified(first, 'one.example.')).toBeGreaterThan(0));
    await until(() => expect(notified(second, 'one.example.')).toBeGreaterThan(0));
    first.answer = has(changed.serial);
    await untilActive(zone);
  });

  it('is sent again until the server answers', async () => {
    publishing = await startPublishing({ nameservers: [first], alsoNotifies: [second] });
    second.notified = () => ({ isSilent: notified(second, 'one.example.') < 3 });
    publishing.startWorker();
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    await until(() => expect(notified(second, 'one.example.')).toBeGreaterThanOrEqual(3));
  });
});

describe('a zone that is removed', () => {
  async function published(name: string): Promise<Zone> {
    const zone = await publishing.create(name);
    first.answer = has(zone.serial);
    second.answer = has(zone.serial);
    await untilActive(zone);
    return zone;
  }

  it('is gone once its servers have dropped it, and not before', async () => {
    publishing = await startPublishing({ nameservers: [first, second] });
    publishing.startWorker();
    const zone = await published('one.example.');
    await publishing.remove(zone);
    first.answer = lacks;
    await until(async () => expect(await faults(zone)).toEqual([null, 'The server still has the zone.']));
    second.answer = () => ({ rcode: RCODE.SERVFAIL });
    await until(async () => expect((await faults(zone))[1]).toContain('SERVFAIL'));
    second.answer = () => ({ isSilent: true });
    await until(async () => expect((await faults(zone))[1]).toBe('The name server does not respond.'));
    second.answer = () => ({ rcode: RCODE.NXDOMAIN });
    await until(async () => expect(await publishing.order(zone)).toBeUndefined());
  });

  it.each([RCODE.NOTAUTH, RCODE.NOERROR, RCODE.NXDOMAIN])(
    'is gone by RCODE %i without its SOA',
    async (rcode) => {
      publishing = await startPublishing({ nameservers: [first] });
      publishing.startWorker();
      const zone = await published('one.example.');
      await publishing.remove(zone);
      first.answer = () => ({ rcode });
      await until(async () => expect(await publishing.order(zone)).toBeUndefined());
    },
  );
});

describe('the worker', () => {
  it('goes on after failures of the store, and logs them once', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    let failures = 0;
    publishing.startWorker({
      transaction: (store) => (work) => {
        failures += 1;
        return failures <= 20 ? Promise.reject(new Error('the store is away')) : store.transaction(work);
      },
    });
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    await untilActive(zone);
    const lines = publishing.logged.filter(
      ({ fields, message }) => message === 'a job failed: retrying' && fields.job === 'publication',
    );
    expect(lines).toHaveLength(1);
  });

  it('takes over the orders of another that has died', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    const soon = '2000-01-01T00:00:00.000000';
    await publishing.store.transaction((tx) => tx.publications.claim('9999-01-01T00:00:00.000000', soon, 10));
    publishing.startWorker();
    await untilActive(zone);
  });

  it('shares orders with another', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    publishing.startWorker();
    publishing.startWorker();
    const serials = new Map<string, number>();
    first.answer = (name) => (serials.has(name) ? { serial: serials.get(name)! } : lacks());
    const zones = await Promise.all(
      Array.from({ length: 50 }, (_, index) => publishing.create(`z${index}.example.`)),
    );
    for (const zone of zones) serials.set(zone.name, zone.serial);
    for (const zone of zones) await untilActive(zone);
  });

  it('gives orders to zones of a pool that begins to publish', async () => {
    publishing = await startPublishing({ nameservers: [] });
    const zone = await publishing.create('one.example.');
    first.answer = has(zone.serial);
    publishing.startWorker();
    expect(await publishing.order(zone)).toBeUndefined();
    await publishing.setPool({ nameservers: [first] });
    await until(async () => expect((await publishing.order(zone))?.publishedSerial).toBe(zone.serial));
  });

  it('leaves orders to others at once when it stops', async () => {
    publishing = await startPublishing({ nameservers: [first] });
    const worker = publishing.startWorker({ settings: { confirmForMs: 60_000, leaseMs: 120_000 } });
    const zone = await publishing.create('one.example.');
    await until(() => expect(first.heard.length).toBeGreaterThan(0));
    await worker.stop();
    first.answer = has(zone.serial);
    publishing.startWorker();
    await untilActive(zone);
  });
});
