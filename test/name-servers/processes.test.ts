import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { signedWith, transfer } from '../support/name-servers/dig.ts';
import { type Publishing, startPublishing } from '../support/name-servers/publishing.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';

const ZONE = 'states.example.org.';
const NAMES = Array.from({ length: 200 }, (_, at) => `r${at}.${ZONE}`);
/** Transfers from each process while the zone changes. */
const TRANSFERS = 15;

const folders = [temporaryFolder(), temporaryFolder()];
let postgres: PostgresServer;
let first: Publishing;
let second: { readonly port: number; readonly service: ServiceProcess };
let writer: ServiceProcess;

beforeAll(async () => {
  postgres = await startPostgres();
  const env = {
    ZONEWARDEN_STORAGE__CONNECTION: await postgres.createDatabase(),
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
  };
  first = await startPublishing(env);
  // Where nothing is published there is nothing to transfer: one server that is never there.
  await first.applyPool([{ host: '127.0.0.1', port: await freePort() }]);
  const port = await freePort();
  const listening = { ...env, ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}` };
  const service = await startProcess({ dataDir: folders[0]!.path, env: listening });
  second = { port, service };
  writer = await startProcess({ dataDir: folders[1]!.path, env });
});
afterAll(async () => {
  await Promise.all([writer?.end(), second?.service.end(), first?.remove()]);
  await postgres?.remove();
  for (const folder of folders) folder.remove();
});

/** The address of each name, by the serial at which the zone was so. */
type States = Map<number, ReadonlyMap<string, string>>;

const addressOf = (count: number): string => `10.0.${Math.floor(count / 256) % 256}.${count % 256}`;

describe('two processes on one PostgreSQL', () => {
  it('transfer one committed state of a zone each time, while a third one writes', async () => {
    const token = first.service.admin;
    const ask = (method: string, path: string, body?: unknown) =>
      writer.request(method, path, { token, body });
    const { id } = (await writer.create(ZONE, token)).json;
    const path = `/v2/zones/${id}`;
    const states: States = new Map();
    const state = new Map<string, string>();
    const remember = async () => {
      states.set((await ask('GET', path)).json.serial, new Map(state));
    };
    const ids: string[] = [];
    for (const name of NAMES) {
      const made = await ask('POST', `${path}/recordsets`, { name, type: 'A', records: ['10.255.0.1'] });
      ids.push(made.json.id);
      state.set(name, '10.255.0.1');
    }
    await remember();

    let isOver = false;
    let written = 0;
    const write = async () => {
      for (; !isOver; written += 1) {
        const at = written % NAMES.length;
        const changed = await ask('PUT', `${path}/recordsets/${ids[at]}`, { records: [addressOf(written)] });
        expect(changed.status).toBe(202);
        state.set(NAMES[at]!, addressOf(written));
        await remember();
      }
    };
    const key = signedWith('pool-key', first.upstream.secret);
    const transfers = async (port: number) => {
      const taken = [];
      for (let done = 0; done < TRANSFERS; done += 1) {
        taken.push(await transfer({ host: '127.0.0.1', port }, ZONE, ...key));
      }
      return taken;
    };
    const writing = write();
    const taken = await Promise.all([
      transfers(first.upstream.port),
      transfers(first.upstream.port),
      transfers(second.port),
      transfers(second.port),
    ]).finally(() => {
      isOver = true;
    });
    await writing;

    const serials = new Set<number>();
    for (const { records } of taken.flat()) {
      const [soa, ...rest] = records;
      expect(rest.at(-1)).toEqual(soa);
      const serial = Number(soa!.rdata.split(' ')[2]);
      serials.add(serial);
      const addresses = rest
        .filter(({ type }) => type === 'A')
        .map(({ name, rdata }) => [name, rdata] as const);
      expect(addresses.length).toBe(NAMES.length);
      expect(new Map(addresses)).toEqual(states.get(serial));
    }
    // It did change meanwhile.
    expect(serials.size).toBeGreaterThan(1);
  });
});
