/** What the worker tells of name servers and of the time that publication takes. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { formatAddress } from '../../../src/model/pools/pool.ts';
import { until } from '../../support/eventually.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';

let first: ScriptedServer;
let second: ScriptedServer;
let publishing: Publishing;
let published: number[];
let failed: string[];
const meter = {
  zonePublished: (seconds: number) => void published.push(seconds),
  serverFailed: (server: string) => void failed.push(server),
};

beforeEach(async () => {
  first = await startNameServer();
  second = await startNameServer();
  published = [];
  failed = [];
});
afterEach(async () => {
  await publishing.close();
  await first.close();
  await second.close();
});

const has = (serial: number) => () => ({ serial });
const lacks = () => ({ rcode: RCODE.REFUSED });

const looks = (server: ScriptedServer): number =>
  failed.filter((address) => address === formatAddress(server)).length;

it('a publication is told once, when enough servers have the change, however often the others are looked after', async () => {
  publishing = await startPublishing({ nameservers: [first, second], threshold: 1 });
  second.answer = lacks;
  publishing.startWorker({ meter, settings: { confirmForMs: 200, stragglerWaitMs: 50 } });
  const zone = await publishing.create('one.example.');
  await until(() => expect(looks(first)).toBeGreaterThan(0));
  expect(published).toEqual([]);
  first.answer = has(zone.serial);
  await until(() => expect(published).toHaveLength(1));
  expect(published[0]).toBeGreaterThan(0);
  const [before, known] = [looks(second), looks(first)];
  await until(() => expect(looks(second)).toBeGreaterThan(before + 2));
  expect(looks(first)).toBe(known);
  expect(published).toHaveLength(1);

  const changed = await publishing.update(zone);
  first.answer = has(changed.serial);
  await until(() => expect(published).toHaveLength(2));
});

it('a removal is told when enough servers have dropped the zone', async () => {
  publishing = await startPublishing({ nameservers: [first] });
  publishing.startWorker({ meter });
  const zone = await publishing.create('one.example.');
  first.answer = has(zone.serial);
  await until(() => expect(published).toHaveLength(1));
  await publishing.remove(zone);
  await until(() => expect(looks(first)).toBeGreaterThan(0));
  first.answer = lacks;
  await until(() => expect(published).toHaveLength(2));
});
