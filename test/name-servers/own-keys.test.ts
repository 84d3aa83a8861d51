/** A name server with a TSIG key of its own, beside one with the key of the pool. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { rdataAt, serialAt, signedWith, transfer } from '../support/name-servers/dig.ts';
import type { NameServer } from '../support/name-servers/place.ts';
import { type Publishing, startPublishing } from '../support/name-servers/publishing.ts';
import { startNameServer } from '../support/name-servers/servers.ts';

const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const SECRET = randomBytes(32).toString('base64');

let publishing: Publishing;
let common: NameServer;
let own: NameServer;
beforeAll(async () => {
  publishing = await startPublishing();
  const { upstream } = publishing;
  const key = { name: 'own-key', algorithm: 'hmac-sha256', secret: SECRET, scope: 'POOL', resource_id: POOL };
  expect((await publishing.ask('POST', '/v2/tsigkeys', key)).status).toBe(201);
  const withOwn = (text: string) =>
    text.replaceAll('pool-key', 'own-key').replaceAll(upstream.secret, SECRET);
  [common, own] = await Promise.all([
    startNameServer('BIND', upstream),
    startNameServer('BIND', upstream, withOwn),
  ]);
  await publishing.applyPool([common, own], (yaml) =>
    yaml.replace(`port: ${own.port} }`, `port: ${own.port}, tsig_key: own-key }`),
  );
});
afterAll(async () => {
  await Promise.all([common, own].map((server) => server?.remove()));
  await publishing?.remove();
});

it('gets its zones, and is told of each change and asked for it with that key', async () => {
  const zone = await publishing.zoneIs((await publishing.makeZone('keys.example.org.')).id, 'ACTIVE');
  for (const server of [common, own]) expect(await serialAt(server, zone.name)).toBe(zone.serial);
  const www = { name: `www.${zone.name}`, type: 'A', records: ['192.0.2.7'] };
  await publishing.addRecordset(zone.id, www);
  await publishing.zoneIs(zone.id, 'ACTIVE');
  for (const server of [common, own])
    await until(async () => expect(await rdataAt(server, www.name, 'A')).toEqual(['192.0.2.7']));
  const primary = { host: '127.0.0.1', port: publishing.upstream.port };
  const { records } = await transfer(primary, zone.name, ...signedWith('own-key', SECRET));
  expect(records.filter(({ type }) => type === 'A')).toHaveLength(1);
  const { json } = await publishing.ask('GET', '/v2/tsigkeys?name=own-key');
  const removed = await publishing.ask('DELETE', `/v2/tsigkeys/${json.tsigkeys[0].id}`);
  expect([removed.status, removed.json.type]).toEqual([409, 'tsigkey_in_use']);
});
