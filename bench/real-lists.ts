/**
 * Real lists against real names: imports a public suffix list and a list of domains, then creates every name of the
 * given files as a zone, twice, with a restart between.
 *
 *     npm run bench -- real-lists --psl FILE --subtree FILE NAMES...
 *
 * Ends with 1 when the second run does not refuse every name: 409 what was created, 400 what was blocked.
 */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';

const IN_FLIGHT = 16;
const PROJECT = 'tenant';

const { values, positionals } = parseArgs({
  options: { psl: { type: 'string' }, subtree: { type: 'string' } },
  allowPositionals: true,
});

interface Result {
  readonly status: number;
  /** The type of a refusal. */
  readonly type: string;
  readonly message: string;
  readonly requestId: string;
}

/** The distinct names of the files, absolute. */
function readNames(files: readonly string[]): string[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split(/\r?\n/));
  const names = lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== '');
  return [...new Set(names.map((name) => (name.endsWith('.') ? name : `${name}.`)))];
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Imports the lists and returns the list that each blacklist came from, by the id of the blacklist. */
async function importLists(service: ServiceProcess, admin: Client): Promise<Map<string, string>> {
  const listOf = new Map<string, string>();
  for (const format of ['psl', 'subtree'] as const) {
    const file = values[format];
    if (file === undefined) continue;
    const start = performance.now();
    const said = service.command('blacklist', 'import', `--${format}`, resolve(file)).trim();
    console.log(`${basename(file)}: ${said}, in ${seconds(start)}`);
    const { blacklists } = await expectSuccess(admin, 'GET', '/v2/blacklists');
    for (const { id } of blacklists) if (!listOf.has(id)) listOf.set(id, basename(file));
  }
  return listOf;
}

async function createAll(url: string, token: string, names: readonly string[]): Promise<Map<string, Result>> {
  const client = connect(url, token, IN_FLIGHT);
  const results = new Map<string, Result>();
  const start = performance.now();
  await forEachInParallel(names, IN_FLIGHT, async (name) => {
    const body = { name, email: 'hostmaster@example.org' };
    const { status, requestId, text } = await client.send('POST', '/v2/zones', body);
    const { type = '', message = '' } = JSON.parse(text);
    results.set(name, {
      status,
      type: status === 202 ? '' : type,
      message: status === 202 ? '' : message,
      requestId,
    });
  });
  client.close();
  const time = performance.now() - start;
  const rate = Math.round((names.length / time) * 1000);
  console.log(`${names.length} names asked for in ${(time / 1000).toFixed(1)} s, ${rate} a second`);
  return results;
}

function countBy<T>(items: Iterable<T>, keyOf: (item: T) => string): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts].map(([key, count]) => `  ${count} ${key}`).join('\n');
}

/** Which list blocked the request, as the log says. */
function blockers(service: ServiceProcess, listOf: Map<string, string>): Map<unknown, string> {
  const refusals = service.logged.filter(({ blacklist }) => blacklist !== undefined);
  return new Map(
    refusals.map((line) => [line.request_id, listOf.get(String(line.blacklist)) ?? 'an unknown list']),
  );
}

function describe(result: Result, blockedBy: Map<unknown, string>): string {
  if (result.status === 202) return 'created';
  const list = blockedBy.get(result.requestId);
  if (list !== undefined) return `blocked by ${list}`;
  return `refused: ${result.status} ${result.type}: ${result.message}`;
}

async function main(): Promise<number> {
  const names = readNames(positionals);
  if (names.length === 0) throw new Error('Give --psl FILE, --subtree FILE and files of names, one a line.');
  const service = await startServiceProcess();
  try {
    const admin = connect(service.url, service.admin, 1);
    const listOf = await importLists(service, admin);
    await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, { zones: -1 });
    admin.close();
    const token = service.token(PROJECT, 'member');

    const first = await createAll(service.url, token, names);
    const blockedBy = blockers(service, listOf);
    console.log(countBy(first.values(), (result) => describe(result, blockedBy)));

    const start = performance.now();
    await service.restart();
    console.log(`restarted in ${seconds(start)}`);
    const second = await createAll(service.url, token, names);
    console.log(countBy(second.values(), ({ status, type }) => `${status} ${type}`));
    const wrong = names.filter((name) => {
      const expected = first.get(name)!.status === 202 ? 409 : 400;
      return second.get(name)!.status !== expected;
    });
    if (wrong.length > 0) console.error(`answered otherwise than expected: ${wrong.slice(0, 20).join(' ')}`);
    return wrong.length > 0 ? 1 : 0;
  } finally {
    await service.remove();
  }
}

process.exitCode = await main();
