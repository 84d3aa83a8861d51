import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';

let server: ScriptedServer;
let publishing: Publishing;
const serials = new Map<string, number>();

beforeEach(async () => {
  server = await startNameServer();
  serials.clear();
  server.answer = (name) => {
    const serial = serials.get(name);
    return serial === undefined ? { rcode: RCODE.REFUSED } : { serial };
  };
  publishing = await startPublishing({ nameservers: [server] });
});

afterEach(async () => {
  await publishing.close();
  await server.close();
});

async function published(name: string): Promise<Zone> {
  const zone = await publishing.create(name);
  serials.set(name, zone.serial);
  await until(async () => expect((await publishing.order(zone))?.dueAt).toBe(''));
  return zone;
}

/** What was logged about a zone. */
function warnings(name: string): string[] {
  return publishing.logged.filter(({ fields }) => fields.zone === name).map(({ message }) => message);
}

describe('the sweep', () => {
  const settings = {
    sweepPollMs: 20,
    sweepIntervalMs: 20,
    retryBackoff: { firstMs: 20, factor: 1, maxMs: 20 },
  };

  it.each([
    ['lost', undefined],
    ['brought back to an older state', -1],
    ['changed by hand', 1],
  ])('finds a zone that a server has %s, and orders it anew', async (_, step) => {
    publishing.startWorker({ settings });
    const zone = await published('one.example.');
    const other = await published('two.example.');
    if (step === undefined) serials.delete(zone.name);
    else serials.set(zone.name, zone.serial + step);
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(0));
    await until(async () => expect(await publishing.status(zone)).toBe('PENDING'));
    expect(warnings(zone.name)).toContain('a name server does not have a zone as published: republishing it');
    expect(warnings(other.name)).toEqual([]);
    serials.set(zone.name, zone.serial);
    await until(async () => expect((await publishing.order(zone))?.dueAt).toBe(''));
    expect(await publishing.status(zone)).toBe('ACTIVE');
  });

  it('reports names that are gone and that a server still has, unless they were taken again', async () => {
    publishing.startWorker({ settings });
    const gone: Zone[] = [];
    for (const name of ['one.example.', 'two.example.']) {
      const zone = await published(name);
      serials.delete(name);
      await publishing.remove(zone);
      await until(async () => expect(await publishing.order(zone)).toBeUndefined());
      gone.push(zone);
    }
    await published('two.example.');
    serials.set('one.example.', gone[0]!.serial);
    const message = 'a name server still has a deleted zone: remove it there';
    await until(() =>
      expect(warnings('one.example.').filter((line) => line === message).length).toBeGreaterThan(1),
    );
    expect(warnings('two.example.')).not.toContain(message);
  });
});
