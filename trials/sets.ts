/**
 * Random sets of changes of random zones: any order of the changes is answered alike, a set ends as its changes one after
 * another where these are all made, a plan does what it showed or nothing, and a revert or a restore brings back the bytes of the
 * former zone file. Ends with 1 when anything is off.
 *
 *     npm run trial -- sets [--count 20000] [--clients 16] [--seed 1] [--store sqlite|postgresql]
 *
 * On PostgreSQL it starts a server of its own.
 */
import { parseArgs } from 'node:util';
import { connect, expectSuccess } from '../test/support/client.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { trySets } from './sets/run.ts';
import { type Ask, Violation } from './sets/zone.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const [count, clients, seed] = [options.count, options.clients, options.seed].map(Number) as [
  number,
  number,
  number,
];
const TELL_EVERY_MS = 10_000;

const server = options.store === 'postgresql' ? await startPostgres() : undefined;
const service = await startServiceProcess({
  ZONEWARDEN_SERVICE_API__KEEP_ALIVE_TIMEOUT: '3600',
  ...(server && { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() }),
});
const open = (token: string) => connect(service.url, token, clients);
const admin = open(service.admin);
const projects = Array.from({ length: clients }, (_, place) => `sets-${place}`);
const tokens = projects.map((project) =>
  service.command('token', 'create', '--project', project, '--role', 'member').trim(),
);
for (const project of projects) await expectSuccess(admin, 'PATCH', `/v2/quotas/${project}`, { zones: -1 });
const connected = tokens.map(open);
const asks = connected.map((client): Ask => {
  return async (method, path, body, headers) => {
    const { status, text, headers: got } = await client.send(method, path, body, headers);
    const isJson = String(got['content-type']).startsWith('application/json');
    return { status, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
  };
});

const start = performance.now();
let told = start;
try {
  const counts = await trySets({
    asks,
    count,
    seed,
    tell({ sets }) {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      console.log(`${sets} sets after ${Math.round((told - start) / 1000)} s`);
    },
  });
  const seconds = (performance.now() - start) / 1000;
  console.log(`${JSON.stringify(counts)} in ${seconds.toFixed(0)} s, nothing off`);
} catch (error) {
  if (!(error instanceof Violation)) throw error;
  console.error(`Seed ${seed}: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const client of [admin, ...connected]) client.close();
  await service.remove();
  await server?.stop();
}
