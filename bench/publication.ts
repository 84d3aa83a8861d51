/**
 * Publication to real name servers, which have to be installed: BIND and Knot, as docs/name-servers.md configures them.
 *
 *     npm run bench -- publication [--only latency,throughput,ixfr,catalog,real-names] [--store sqlite|postgresql]
 *         [--zones N] [--rounds N] [--seconds 4] [--without-bind] [--names FILE --names FILE]
 *         [--cpu-prof FOLDER]
 *
 * - latency: from the answer to `POST` to the answer of the server, over `--zones` (500) at 20 a second, each server alone
 * - throughput: creates a second over 8 connections with and without publication to BIND, `--rounds` (5) turns of `--seconds`
 * - ixfr: an IXFR of one record in a zone of `--zones` (100,000) records, beside one of 10, and the AXFR; `--rounds` (50)
 * - catalog: a new zone in a catalog of `--zones` (100,000) members, beside one of 100; `--rounds` (50). BIND has to load all of
 *   them, too, unless there is `--without-bind`
 * - real-names: the names of files, or `--zones` (2,000) made up ones, from nothing to all answered by BIND
 *
 * Each prints a table, and a line of JSON. `--cpu-prof` keeps a profile of each service.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { catalog } from './publication/catalog.ts';
import { ixfr } from './publication/ixfr.ts';
import { latency } from './publication/latency.ts';
import { readNames, realNames } from './publication/real-names.ts';
import { type Backend, openBackend, STORES } from './publication/stage.ts';
import { throughput } from './publication/throughput.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    zones: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    'without-bind': { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
    names: { type: 'string', multiple: true, default: [] },
  },
});

/** The option, or how many it is without it. */
const count = (text: string | undefined, otherwise: number): number => Number(text ?? otherwise);

const MEASUREMENTS: Readonly<Record<string, (backend: Backend) => Promise<void>>> = {
  latency: (backend) => latency(backend, count(options.zones, 500)),
  throughput: (backend) => throughput(backend, count(options.rounds, 5), Number(options.seconds)),
  ixfr: (backend) => ixfr(backend, count(options.zones, 100_000), count(options.rounds, 50)),
  catalog: (backend) =>
    catalog(backend, count(options.zones, 100_000), count(options.rounds, 50), !options['without-bind']),
  'real-names': (backend) => realNames(backend, readNames(options.names, count(options.zones, 2000))),
};

async function main(): Promise<void> {
  const wanted = options.only?.split(',') ?? Object.keys(MEASUREMENTS);
  const unknown = wanted.find((name) => !Object.hasOwn(MEASUREMENTS, name));
  if (unknown !== undefined) throw new Error(`There is no measurement ${unknown}.`);
  const store = STORES.find((name) => name === options.store);
  if (store === undefined) throw new Error(`Give --store one of ${STORES.join(', ')}.`);
  const folder = options['cpu-prof'];
  const node = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`];
  const backend = await openBackend(store, node);
  try {
    for (const name of wanted) {
      console.log(`## ${name}, ${store}\n`);
      await MEASUREMENTS[name]!(backend);
    }
  } finally {
    await backend.remove();
  }
}

await main();
process.exit(0);
