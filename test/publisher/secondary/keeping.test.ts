import { describe, expect, it } from 'vitest';
import { TYPE } from '../../../src/dns/record-types.ts';
import { until } from '../../support/eventually.ts';
import { record, soaRecord, startMaster, type TransferSession } from '../../support/scripted-master.ts';
import { keepZones } from '../../support/secondary-zones.ts';

const whole = (name: string, serial = 5) => [
  soaRecord(name, serial),
  record(name, TYPE.NS, 'ns1.example.net.'),
  soaRecord(name, serial),
];

/** A master that has every zone, and holds transfers back until it is told. */
async function holdingMaster() {
  const master = await startMaster();
  const held: TransferSession[] = [];
  master.soa = (name) => [soaRecord(name, 5)];
  master.transfer = (session) => void held.push(session);
  const release = () => {
    for (const session of held.splice(0)) session.send(whole(session.question.name));
  };
  return { master, held, release };
}

describe('many zones', () => {
  it('are transferred so many at once, in all and from one address, and the others after them', async () => {
    const { master, held, release } = await holdingMaster();
    const { zones } = keepZones({ maxTransfers: 10, maxTransfersPerMaster: 3 });
    for (let at = 0; at < 8; at += 1) zones.due([master], { name: `z${at}.test.` });
    const soas = () => master.heard.filter((one) => one === 'SOA udp').length;
    await until(() => expect([held.length, soas()]).toEqual([3, 8]));
    release();
    await until(() => expect(held.length).toBe(3));
    release();
    await until(() => expect(held.length).toBe(2));
    release();
    for (let at = 0; at < 8; at += 1) expect(await zones.next()).toMatchObject({ kind: 'whole' });
  });

  it('are claimed no more of at once than may be asked for', async () => {
    const { master, held, release } = await holdingMaster();
    const { zones } = keepZones({ maxZones: 2 });
    for (let at = 0; at < 5; at += 1) zones.due([master], { name: `z${at}.test.` });
    await until(() => expect(held.length).toBe(2));
    expect(master.heard.filter((one) => one === 'SOA udp')).toHaveLength(2);
    release();
    await until(() => expect(held.length).toBe(2));
    release();
    await until(() => expect(held.length).toBe(1));
    release();
  });

  it('that find no place in time are told nothing of: they are due again', async () => {
    const { master, held } = await holdingMaster();
    const { zones, errors } = keepZones({ maxTransfers: 1, transferWaitMs: 50 });
    zones.due([master], { name: 'first.test.' });
    await until(() => expect(held.length).toBe(1));
    zones.due([master], { name: 'second.test.' });
    await until(() => expect(master.heard.length).toBe(3));
    held.splice(0)[0]!.send(whole('first.test.'));
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
    expect([zones.told, errors]).toEqual([[], []]);
  });
});

describe('the zones of one project', () => {
  it('leave places for those of others, though each has a master of its own that never ends', async () => {
    const slow = await Promise.all(Array.from({ length: 6 }, holdingMaster));
    const { master, release } = await holdingMaster();
    const { zones } = keepZones({ maxTransfers: 4 });
    for (const [at, one] of slow.entries())
      zones.due([one.master], { name: `slow${at}.test.`, projectId: 'enemy' });
    const held = () => slow.reduce((sum, one) => sum + one.held.length, 0);
    const asked = () => slow.reduce((sum, one) => sum + one.master.heard.length, 0);
    // Each of the six was asked for its SOA, and two of them for the zone.
    await until(() => expect([held(), asked()]).toEqual([2, 8]));
    zones.due([master], { name: 'other.test.', projectId: 'shop' });
    await until(() => expect(master.heard.length).toBe(2));
    release();
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
    expect(held()).toBe(2);
  });
});

describe('a zone', () => {
  it('that is due again while it is transferred is asked for once more, from the serial that came', async () => {
    const { master, held, release } = await holdingMaster();
    const { zones, worker } = keepZones();
    zones.due([master], { serial: 4 });
    await until(() => expect(held.length).toBe(1));
    const { claims } = zones;
    zones.due([master], { serial: 4 });
    worker.wake();
    await until(() => expect(zones.claims).toBeGreaterThan(claims + 1));
    release();
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
    expect(await zones.next()).toMatchObject({ kind: 'current', soa: { serial: 5 } });
  });

  it('is looked for again after a failure of the store', async () => {
    const { master, held, release } = await holdingMaster();
    const { zones, errors } = keepZones();
    zones.failure = new Error('The store is away.');
    await until(() => expect(errors.length).toBe(1));
    zones.due([master]);
    await until(() => expect(held.length).toBe(1));
    release();
    expect(await zones.next()).toMatchObject({ kind: 'whole' });
  });
});

describe('the end', () => {
  it('closes what is open, leaves the zones to others, and writes nothing else', async () => {
    const { master, held } = await holdingMaster();
    const { zones, worker, errors } = keepZones();
    zones.due([master]);
    zones.due([master], { name: 'another.test.', serial: 4 });
    await until(() => expect(held.length).toBe(2));
    held[0]!.send(whole('example.com.').slice(0, 2));
    await worker.stop();
    await until(() => expect(master.open.size).toBe(0));
    expect([zones.told, errors]).toEqual([[], []]);
    expect(zones.releases.toSorted()).toEqual(['another.test.', 'example.com.']);
  });
});
