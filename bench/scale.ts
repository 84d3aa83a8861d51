/**
 * What a store costs as it fills up: starts, memory, idling, single requests, transfers of the catalog, `verify` and the backup.
 *
 *     npm run bench -- scale [--zones 10000,100000,1000000] [--rounds 300] [--idle 60] [--stores sqlite,postgresql]
 *         [--statements]
 *
 * The zones are written to the database by SQL, each with its SOA and NS, 100 in a project, published to a server that is this
 * program, and members of the catalog. Requests go over HTTP, one at a time, once the index of names is complete. A start is
 * measured from the beginning of the process until /healthcheck answers. "Most of the main thread" is processor time, which
 * does not depend on what else the machine does.
 *
 * Each value is printed as soon as it is known, and a table for each database at its end. What fails is said at the end, and leaves
 * out the rest of its column alone. Data folders, and the PostgreSQL server, are under TMPDIR: at 1,000,000 zones they take 10 GB.
 *
 * `--statements` measures nothing of this. It times each statement on the event loop of the embedded database, with the last number
 * of zones, while each route and each periodic job runs: see scale/statements.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../test/support/figures.ts';
import { freePort } from '../test/support/free-port.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { type FilledStore, fillStore } from './scale/filled-store.ts';
import { measureStore, type Report, type Subject } from './scale/measures.ts';
import { measureStatements } from './scale/statements.ts';

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '300' },
    idle: { type: 'string', default: '60' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    statements: { type: 'boolean', default: false },
  },
});
const counts = values.zones.split(',').map(Number);
const shown = (count: number) => count.toLocaleString('en');
const secondsSince = (begun: number) => ((performance.now() - begun) / 1000).toFixed(0);

/** The values of one column, by row. */
type Column = Map<string, string>;

async function inFilledStore(
  zones: number,
  database: number | undefined,
  work: (subject: Subject, filled: FilledStore) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-scale-'));
  let filled: FilledStore | undefined;
  try {
    const place = {
      dataDir: join(folder, 'data'),
      logFile: join(folder, 'log'),
      primaryPort: await freePort(),
    };
    const begun = performance.now();
    filled = await fillStore(place, zones);
    console.log(`${shown(zones)} zones were written and indexed in ${secondsSince(begun)} s.`);
    const options = { rounds: Number(values.rounds), idleSeconds: Number(values.idle) };
    await work({ place, zones, database, ...options }, filled);
  } finally {
    filled?.partner.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How much greater the last value is than the first, by their medians. */
function ratioOf(first: string | undefined, last: string | undefined): string {
  const ratio = Number.parseFloat(last ?? '') / Number.parseFloat(first ?? '');
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '–';
}

function printTable(store: string, columns: readonly Column[]): void {
  const rows = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const ratio = `${shown(counts.at(-1)!)} / ${shown(counts[0]!)}`;
  table(
    [store, ...counts.map((count) => `${shown(count)} zones`), ratio],
    rows.map((what) => [
      what,
      ...columns.map((column) => column.get(what) ?? '–'),
      ratioOf(columns[0]!.get(what), columns.at(-1)!.get(what)),
    ]),
  );
}

async function measureAll(store: string, failures: string[]): Promise<void> {
  const settings = { shared_buffers: '256MB', max_wal_size: '4GB' };
  const server = store === 'postgresql' ? await startPostgres({ settings }) : undefined;
  if (server === undefined) delete process.env.TEST_POSTGRES;
  else process.env.TEST_POSTGRES = server.url('postgres');
  try {
    const columns: Column[] = [];
    for (const zones of counts) {
      const column: Column = new Map();
      columns.push(column);
      const report: Report = (what, value) => {
        column.set(what, value);
        console.log(`${store}, ${shown(zones)} zones: ${what}: ${value}`);
      };
      try {
        await inFilledStore(zones, server?.pid, (subject, filled) => measureStore(subject, filled, report));
      } catch (error) {
        failures.push(`${store}, ${shown(zones)} zones: ${(error as Error).stack}`);
      }
    }
    console.log('');
    printTable(store, columns);
  } finally {
    await server?.remove();
  }
}

const begun = performance.now();
const failures: string[] = [];
if (values.statements) {
  delete process.env.TEST_POSTGRES;
  await inFilledStore(counts.at(-1)!, undefined, measureStatements);
} else {
  for (const store of values.stores.split(',')) await measureAll(store, failures);
}
console.log(`All of it took ${secondsSince(begun)} s.`);
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
