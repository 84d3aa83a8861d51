/**
 * Random parallel operations against a real service process, held against a sequential model:
 * trials/histories/history.ts says what is checked. Ends with 1 when anything is off.
 *
 *     npm run trial -- histories [--operations 1000000] [--parallel 24] [--projects 6] [--seed 1]
 *         [--store sqlite|postgresql]
 *
 * On PostgreSQL it starts a server of its own.
 */
import { parseArgs } from 'node:util';
import { connect } from '../test/support/client.ts';
import { freePort } from '../test/support/free-port.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { History, type HistoryClient } from './histories/history.ts';
import { openHistoryMasters } from './histories/masters.ts';
import { historyUpdates } from './histories/updates.ts';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    parallel: { type: 'string', default: '24' },
    projects: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'sqlite' },
  },
});

const server = options.store === 'postgresql' ? await startPostgres() : undefined;
const primary = { host: '127.0.0.1', port: await freePort() };
const service = await startServiceProcess({
  ZONEWARDEN_SERVICE_MDNS__LISTEN: `${primary.host}:${primary.port}`,
  ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
  // A connection that is closed while a request is on its way would end the campaign.
  ZONEWARDEN_SERVICE_API__KEEP_ALIVE_TIMEOUT: '3600',
  ...(server && { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() }),
});
const masters = await openHistoryMasters();
const makeToken = (project: string) =>
  service.command('token', 'create', '--project', project, '--role', 'member').trim();
const projects = Array.from({ length: Number(options.projects) }, (_, number) => ({
  id: `project-${number}`,
  token: makeToken(`project-${number}`),
}));
const clients = new Map(
  [service.admin, ...projects.map(({ token }) => token)].map((token) => [
    token,
    connect(service.url, token, Number(options.parallel)),
  ]),
);
const client: HistoryClient = {
  async request(method, path, { token, body, headers }) {
    const answer = await clients.get(token)!.send(method, path, body as object | undefined, headers);
    const { status, text } = answer;
    const get = (name: string) => answer.headers[name]?.toString() ?? null;
    return { status, json: text === '' ? {} : JSON.parse(text), headers: { get } };
  },
};

const start = performance.now();
const history = new History({
  client,
  admin: service.admin,
  projects,
  operations: Number(options.operations),
  parallel: Number(options.parallel),
  seed: Number(options.seed),
  masters,
  updates: historyUpdates(primary),
});
const { operations, refusals, faults, byKind, refusedByKind, met, certain } = await history.run();
const seconds = ((performance.now() - start) / 1000).toFixed(0);
process.stdout.write(`${operations} operations in ${seconds} s, ${refusals} refused for want of room\n`);
for (const [kind, count] of Object.entries(byKind)) {
  process.stdout.write(`  ${kind}: ${count}, ${refusedByKind[kind] ?? 0} refused\n`);
}
const { refused, warned, passed } = met;
process.stdout.write(
  `creates whose names entries could match: ${refused} refused, ${warned} warned, ${passed} passed; ${certain} could have met nothing else\n`,
);
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
const verified = service.command('verify').trim();
process.stdout.write(`${verified}\n`);
await service.remove();
await server?.remove();
await masters.close();
process.exit(faults.length === 0 ? 0 : 1);
