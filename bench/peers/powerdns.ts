/** PowerDNS with its HTTP API, as Debian has it. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';
import { freePort } from '../../test/support/free-port.ts';
import { newPlace } from '../../test/support/name-servers/place.ts';
import type { Peer, Requests } from './peer.ts';

const KEY = 'benchmark';
const SCHEMA = {
  sqlite: '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql',
  postgresql: '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql',
};
const PATH = '/api/v1/servers/localhost/zones';

const requests: Requests = {
  create: (zone) => {
    const nameservers = ['ns1.example.net.', 'ns2.example.net.'];
    return { method: 'POST', path: PATH, body: { name: zone, kind: 'Native', nameservers } };
  },
  write: (zone, name, address) => {
    const records = [{ content: address, disabled: false }];
    const rrsets = [{ name, type: 'A', ttl: 300, changetype: 'REPLACE', records }];
    return { method: 'PATCH', path: `${PATH}/${zone}`, body: { rrsets } };
  },
  find: (zone) => ({ method: 'GET', path: `${PATH}?zone=${zone}` }),
  recordsets: (zone) => ({ method: 'GET', path: `${PATH}/${zone}` }),
  list: () => ({ method: 'GET', path: PATH }),
};

/** The lines of the configuration that name the store. An embedded one is made with the schema. */
async function storeLines(
  dataDir: string,
  run: (commands: string) => Promise<void>,
  database: string | undefined,
): Promise<readonly string[]> {
  if (database === undefined) {
    const file = `${dataDir}/pdns.sqlite3`;
    await run(`sqlite3 ${file} < ${SCHEMA.sqlite}`);
    return ['launch=gsqlite3', `gsqlite3-database=${file}`];
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(readFileSync(SCHEMA.postgresql, 'utf8'));
  await client.end();
  const { hostname, port, username, password, pathname } = new URL(database);
  const where = { host: hostname, port, user: username, password, dbname: pathname.slice(1) };
  return ['launch=gpgsql', ...Object.entries(where).map(([name, value]) => `gpgsql-${name}=${value}`)];
}

/** @param database a connection string; undefined for a database of SQLite */
export async function startPowerDns(database: string | undefined): Promise<Peer> {
  const place = newPlace(await freePort());
  const port = await freePort();
  try {
    const lines = [
      ...(await storeLines(place.dataDir, place.run, database)),
      `local-address=${place.host}`,
      `local-port=${place.port}`,
      ...['api=yes', `api-key=${KEY}`, 'webserver=yes', `webserver-address=${place.host}`],
      `webserver-port=${port}`,
      'webserver-loglevel=none',
    ];
    const folder = dirname(place.write('pdns.conf', `${lines.join('\n')}\n`));
    const server = await place.start([
      'pdns_server',
      `--config-dir=${folder}`,
      `--socket-dir=${place.dataDir}`,
      ...['--guardian=no', '--daemon=no', '--disable-syslog'],
    ]);
    const { pid, remove } = server;
    return {
      title: 'PowerDNS',
      url: `http://${place.host}:${port}`,
      headers: { 'x-api-key': KEY },
      pid,
      requests,
      remove,
    };
  } catch (error) {
    await place.clear();
    throw error;
  }
}
