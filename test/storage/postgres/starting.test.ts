import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/storage/open.ts';
import { temporaryFolder } from '../../support/process.ts';
import { storeSettings } from '../../support/store.ts';

/** What a server says to whoever comes while it starts (the protocol's ErrorResponse). */
function refusal(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up'];
  const text = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}

/** A server that says to the first who come that it is starting, and serves those after them. */
async function slowToStart(port: number, refusals: number): Promise<Server> {
  let left = refusals;
  const server = createServer((client) => {
    client.on('error', () => {});
    if (left-- > 0) {
      client.once('data', () => client.end(refusal()));
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let folder: ReturnType<typeof temporaryFolder>;
let server: Server | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  server?.close();
  folder.remove();
});

it('a store is opened once a server that is starting has started', async () => {
  const settings = storeSettings(folder.path);
  const url = new URL(settings.postgres!.connection);
  server = await slowToStart(Number(url.port), 2);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = await openStore({ ...settings, postgres: { ...settings.postgres!, connection: url.href } });
  expect(await store.blacklists.revision()).toBe(0);
  await store.close();
});

it('a database that cannot hold every text is refused, and left as it is', async () => {
  const settings = storeSettings(folder.path);
  const url = new URL(settings.postgres!.connection);
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  const name = `latin1_${randomUUID().replaceAll('-', '')}`;
  await owner.query(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`);
  url.pathname = name;
  const open = openStore({ ...settings, postgres: { ...settings.postgres!, connection: url.href } });
  await expect(open).rejects.toThrow(/has the encoding LATIN1, and must have UTF8\. Create it with: /);
  const within = new pg.Client({ connectionString: url.href });
  await within.connect();
  expect((await within.query("select 1 from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
  await within.end();
  await owner.query(`drop database ${name}`);
  await owner.end();
});
