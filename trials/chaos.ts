/**
 * Real processes under a mixed load of many clients, killed, stopped and cut off at random; then everything that was
 * acknowledged is looked up. docs/chaos.md says what is checked. Ends with 1 when anything is off.
 *
 *     npm run trial -- chaos [--store sqlite|postgresql] [--seconds 0] [--kills 100] [--seed 1] [--clients 24] [--no-servers]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { postgresSite } from './chaos/postgres-site.ts';
import { report } from './chaos/report.ts';
import { run } from './chaos/run.ts';
import { hasNameServer } from './chaos/servers/name-server.ts';
import { type Site, sqliteSite } from './chaos/sites.ts';

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', multiple: true, default: ['sqlite', 'postgresql'] },
    seconds: { type: 'string', default: '0' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '24' },
    'no-servers': { type: 'boolean', default: false },
  },
});

const SITES: Readonly<Record<string, (folder: string) => Site | Promise<Site>>> = {
  sqlite: sqliteSite,
  postgresql: postgresSite,
};

const hasServers = !options['no-servers'] && hasNameServer();
if (!options['no-servers'] && !hasServers) {
  process.stdout.write('No BIND (named) is installed here: the run goes on without name servers.\n');
}

async function runOn(store: string): Promise<boolean> {
  const makeSite = SITES[store];
  if (makeSite === undefined) throw new Error(`--store is one of ${Object.keys(SITES).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), `zonewarden-chaos-${store}-`));
  const site = await makeSite(folder);
  const seed = Number(options.seed);
  const ledger = await run(site, {
    seed,
    clients: Number(options.clients),
    seconds: Number(options.seconds),
    kills: Number(options.kills),
    hasServers,
    folder,
  });
  await site.remove();
  process.stdout.write(`${report(store, seed, ledger)}\n`);
  if (ledger.faults.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return true;
  }
  for (const fault of ledger.faults) process.stdout.write(`FAULT ${fault}\n`);
  const again = `--store ${store} --seconds ${options.seconds} --kills ${options.kills} --seed ${seed} --clients ${options.clients}${options['no-servers'] ? ' --no-servers' : ''}`;
  process.stdout.write(`again: npm run trial -- chaos ${again}\nlogs and history: ${folder}\n`);
  return false;
}

// What runs is ended with this process, in whatever way that is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
let isSound = true;
for (const store of options.store) isSound = (await runOn(store)) && isSound;
process.exit(isSound ? 0 : 1);
