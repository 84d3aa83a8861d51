/** `import-designate` from a source that is broken, or lies. */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Importing } from '../support/designate/importing.ts';
import { answer } from '../support/designate/scripted.ts';
import { until } from '../support/eventually.ts';
import { CERTIFICATE_FILE, certificateOfLocalhost } from '../support/keystone/certificate.ts';

let site: Importing;
let designate: Importing['designate'];
beforeEach(async () => {
  site = await Importing.start();
  ({ designate } = site);
});
afterEach(() => site.stop());

const zoneNames = async () =>
  (await site.get('/v2/zones')).json.zones.map(({ name }: { name: string }) => name);
/** One line, and the status of a failure. */
async function failure(...flags: readonly string[]): Promise<string> {
  const { status, err } = await site.importAll(...flags);
  expect([status, err.trimEnd().split('\n').length]).toEqual([2, 1]);
  return err;
}

it('refuses entries of wrong types and ids, and takes the others', async () => {
  const { data } = designate;
  data.zone('number.example.', { id: 7 });
  data.zone('path.example.', { id: '../../v2/zones' });
  data.zone('ttl.example.', { ttl: '3600' });
  data.zone('serial.example.', { serial: 2 ** 32 });
  data.zone('project.example.', { project_id: 'a b' });
  data.zone('time.example.', { created_at: '2024-13-45T00:00:00' });
  data.zone('attributes.example.', { attributes: { '': 'x' } });
  data.zone('long.example.', { attributes: { rack: 'x'.repeat(256) } });
  data.zone('type.example.', { type: 'HINT' });
  data.zones.push(null as never, [] as never, 'text' as never);
  const good = data.zone('good.example.', { attributes: { rack: 'x'.repeat(255) } });
  const other = data.zone('other.example.');
  data.recordset(good, 'outside.example.org.', 'A', ['192.0.2.1']);
  data.recordset(good, 'text.good.example.', 'A', '192.0.2.1' as never);
  data.recordset(good, 'id.good.example.', 'A', ['192.0.2.1'], { id: 'x'.repeat(5000) });
  data.recordset(good, 'bell.good.example.', 'A', ['192.0.2.1'], { description: 'a\u0000b' });
  const kept = data.recordset(good, 'kept.good.example.', 'A', ['192.0.2.1']);
  data.recordset(other, 'www.other.example.', 'A', ['192.0.2.1'], { id: kept.id });
  data.zones.splice(0, 0, { ...good, id: randomUUID(), name: '\u001b[2Jred.example.' });

  const { status, err } = await site.importAll();
  expect(status).toBe(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing that a terminal obeys
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(Math.max(...err.split('\n').map((line) => line.length))).toBeLessThan(1000);
  expect(await zoneNames()).toEqual(['good.example.']);
  expect(site.unsettled('imported').filter((line) => line.includes('good.example.')).length).toBe(3);
  expect(err).toMatch(/refused: zone other\.example\./);
  expect(err).toMatch(/refused: zone path\.example\. .*This is not a UUID/);
  expect(site.unsettled('compared').filter((line) => line.startsWith('only here'))).toEqual([]);
  expect(await site.verify()).toBe(0);
});

it('tells which zones are only here, of which none is one that it cannot read', async () => {
  const zone = designate.data.zone('example.com.');
  const leaving = designate.data.zone('leaving.example.');
  expect((await site.importAll()).status).toBe(0);
  zone.name = 'com.';
  leaving.action = 'DELETE';
  await site.importAll();
  const told = site.unsettled('compared');
  expect(told).toContain('only here zone leaving.example.');
  expect(told).not.toContain('only here zone example.com.');
  const headers = { 'x-auth-all-projects': 'true' };
  const deletion = { token: site.service.admin, headers };
  expect((await site.service.request('DELETE', `/v2/zones/${leaving.id}`, deletion)).status).toBe(202);
  await site.importAll();
  expect(site.unsettled('compared')).not.toContain('only here zone leaving.example.');
});

it('keeps a recordset here that the source still has and cannot be taken any more', async () => {
  const { data } = designate;
  const zone = data.zone('example.com.');
  const [www, mail] = ['www', 'mail'].map((label) =>
    data.recordset(zone, `${label}.example.com.`, 'A', ['192.0.2.1']),
  );
  expect((await site.importAll()).status).toBe(0);
  www!.records = ['192.0.2.256'];
  mail!.records = ['192.0.2.2'];
  const { status, err } = await site.importAll('--update');
  expect(status).toBe(1);
  expect(err).toMatch(/different: zone example\.com\. .*: www\.example\.com\. A is only here\n/);
  const recordsOf = async (id: string) =>
    (await site.get(`/v2/zones/${zone.id}/recordsets/${id}`)).json.records;
  expect([await recordsOf(www!.id), await recordsOf(mail!.id)]).toEqual([['192.0.2.1'], ['192.0.2.2']]);
});

it('ends where pages go round, have no ids, or follow each other without end', async () => {
  const { data } = designate;
  const [one, two] = [data.zone('one.example.'), data.zone('two.example.')];
  const next = { links: { next: 'http://designate.invalid/' } };
  designate.fault = (path, response) => {
    if (!path.startsWith('/v2/zones?') || path.includes('limit=1&')) return false;
    answer(response, 200, { zones: [path.includes(one.id) ? two : one], ...next });
    return true;
  };
  expect(await failure()).toMatch(/keeps returning the same page of \/zones/);

  designate.fault = (path, response) => {
    if (!path.startsWith('/v2/tlds')) return false;
    answer(response, 200, { tlds: [{ name: 'com' }], ...next });
    return true;
  };
  expect(await failure()).toMatch(/announces another page, but its entries have no ids/);

  designate.fault = (path, response) => {
    if (!path.startsWith(`/v2/zones/${one.id}/recordsets`)) return false;
    const recordsets = Array.from({ length: 500 }, () => ({ id: randomUUID(), name: 'x'.repeat(300) }));
    answer(response, 200, { recordsets, ...next });
    return true;
  };
  const { err } = await site.run(['--token', 'x', '--dry-run'], {
    ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: '1000000',
  });
  expect(err).toMatch(/refused: zone one\.example\. .*more than 1000000 bytes/);
});

it('reads no answer further than a bound', async () => {
  let isClosed = false;
  designate.fault = (path, response) => {
    if (!path.startsWith('/v2/pools')) return false;
    response.writeHead(200);
    const piece = Buffer.alloc(2 ** 20, 0x20);
    response.on('close', () => {
      isClosed = true;
    });
    const pour = (): void => {
      if (!isClosed) response.write(piece, () => setImmediate(pour));
    };
    pour();
    return true;
  };
  expect(await failure()).toMatch(/larger than 16777216 bytes.*--page-size/);
  await until(() => expect(isClosed).toBe(true));
});

it('waits for no answer longer than the time-out, also where it has begun', async () => {
  for (const begin of [false, true]) {
    designate.fault = (path, response) => {
      if (path.startsWith('/v2/pools') && begin) response.writeHead(200).write('{');
      return path.startsWith('/v2/pools');
    };
    expect(await failure('--timeout', '1')).toMatch(/did not answer within 1000 ms/);
  }
});

it('follows no redirect with the token, and says where it points', async () => {
  const asked: unknown[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v2/zones`;
  for (const status of [301, 302, 307, 308]) {
    designate.fault = (_, response) => {
      response.writeHead(status, { location }).end();
      return true;
    };
    const err = await failure();
    expect(err).toContain(`answered ${status}`);
    expect(err).toContain(location);
    expect(err).toContain('--from');
  }
  expect(asked).toEqual([]);
  await new Promise((resolve) => elsewhere.close(resolve));
});

it('sends no token over TLS to whom nobody vouches for', async () => {
  const tokens: unknown[] = [];
  const server = createTlsServer(certificateOfLocalhost(), (request, response) => {
    tokens.push(request.headers['x-auth-token']);
    answer(response, 403, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const flags = [
    '--token',
    'secret',
    '--from',
    `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ];
  const doubted = await site.run(flags);
  expect([doubted.status, tokens]).toEqual([2, []]);
  expect(doubted.err).toMatch(/cannot be reached: .*certificate.*/);
  for (const environment of [{ OS_CACERT: CERTIFICATE_FILE }, { OS_INSECURE: 'true' }]) {
    expect((await site.run(flags, environment)).err).toMatch(/admin role/);
    expect(tokens.splice(0)).toEqual(['secret']);
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
