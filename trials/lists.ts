/**
 * Lists of very many blacklists: how long an import, a sync, a change of the mode and a removal take by HTTP, and an import by
 * command; the most memory of the service, the largest write-ahead log (embedded database), and what creates of zones beside
 * each of them wait for. Then files as nobody should send them, and what these cost.
 *
 *     npm run trial -- lists [--entries 5000] [--clients 4] [--only <parts of titles, with commas>]
 *
 * Linux only. The short form is the default; with a million entries it takes many minutes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ticksOf } from '../bench/support/processor-time.ts';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { quantile } from '../test/support/figures.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { storeOptions } from '../test/support/store.ts';

const { values: options } = parseArgs({
  options: {
    entries: { type: 'string', default: '5000' },
    clients: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
});
const [entries, clients] = [Number(options.entries), Number(options.clients)];
const PROJECT = 'tenant';
const TICKS = 100;
const CHECK_MS = 50;
/** Between two creates of a client: they are steady, and not all that the machine does. */
const BETWEEN_MS = 100;
const MIB = 2 ** 20;
/** As a file of many lines may be. */
const LARGE = 16 * MIB;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const line = (n: number) => `^([a-z0-9-]+\\.)*blocked-${n}\\.example\\.$\n`;
function* lines(from: number, to: number) {
  for (let start = from; start < to; start += 1000)
    yield Array.from({ length: Math.min(1000, to - start) }, (_, i) => line(start + i)).join('');
}

/** What a process uses at the most. */
class Peaks {
  readonly #service: ServiceProcess;
  readonly #timer: NodeJS.Timeout;
  memory = 0;
  log = 0;

  constructor(service: ServiceProcess) {
    this.#service = service;
    this.#timer = setInterval(() => this.#look(), CHECK_MS);
  }

  #look(): void {
    const [, memory] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#service.pid}/status`, 'utf8'))!;
    this.memory = Math.max(this.memory, Number(memory) / 1024);
    const file = join(this.#service.dataDir, 'zonewarden.db-wal');
    this.log = Math.max(this.log, (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MIB);
  }

  end(): this {
    clearInterval(this.#timer);
    return this;
  }
}

/** Creates zones one after another, over so many connections, and keeps how long each took, in milliseconds. */
class Creates {
  readonly #client: Client;
  readonly #running: Promise<void>[];
  #isOver = false;
  #made = 0;
  taken: number[] = [];
  failed = 0;

  constructor(client: Client) {
    this.#client = client;
    this.#running = Array.from({ length: clients }, () => this.#go());
  }

  async #go(): Promise<void> {
    while (!this.#isOver) {
      const begun = performance.now();
      const body = { name: `free-${this.#made++}.example.`, email: 'a@example.org' };
      const { status } = await this.#client.send('POST', '/v2/zones', body);
      this.taken.push(performance.now() - begun);
      if (status !== 202) this.failed += 1;
      await pause(BETWEEN_MS);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }
}

const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
const service = await startServiceProcess();
const admin = connect(service.url, service.admin, clients);
await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, { zones: -1 });
const member = connect(service.url, service.token(PROJECT, 'member'), clients);
const creates = new Creates(member);

/** Runs a step, and tells of it and of the creates beside it. */
async function step(what: string, work: () => Promise<string>): Promise<void> {
  if (!options.only.split(',').some((part) => what.includes(part))) return;
  creates.taken = [];
  const peaks = new Peaks(service);
  const [begun, ticks] = [performance.now(), ticksOf(service.pid)];
  const said = await work();
  const seconds = (performance.now() - begun) / 1000;
  const processor = (ticksOf(service.pid) - ticks) / TICKS;
  // One that waits for the step is answered after it.
  await pause(CHECK_MS);
  const { memory, log } = peaks.end();
  const taken = creates.taken.length > 0 ? creates.taken : [Number.NaN];
  row([
    what,
    said,
    seconds.toFixed(1),
    processor.toFixed(1),
    memory.toFixed(0),
    log.toFixed(0),
    creates.taken.length,
    ...[0.5, 0.99, 1].map((share) => quantile(taken, share).toFixed(0)),
  ]);
}

/** Waits for the end of a task; what it came to. */
async function over(text: string): Promise<string> {
  const { id } = JSON.parse(text);
  for (;;) {
    const task = await expectSuccess(admin, 'GET', `/v2/blacklists/imports/${id}`);
    if (task.status !== 'ACTIVE')
      return `${task.status}: ${task.added} added, ${task.removed} removed, ${task.fault_count} faults`;
    await pause(CHECK_MS);
  }
}

async function send(query: string, parts: Iterable<string | Uint8Array>): Promise<string> {
  async function* body() {
    for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
  }
  const answer = await fetch(`${service.url}/v2/blacklists/import?${query}`, {
    method: 'POST',
    headers: { 'x-auth-token': service.admin, 'content-type': 'text/plain' },
    body: body(),
    duplex: 'half',
  } as never);
  const text = await answer.text();
  return answer.status === 202 ? over(text) : `${answer.status} ${JSON.parse(text).type}`;
}

/** A command beside the service; the most memory of its process. */
async function command(...args: string[]): Promise<string> {
  const env = { ...process.env, ...storeOptions(service.dataDir) };
  const child = spawn(process.execPath, [resolve('dist/main.js'), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let most = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, CHECK_MS);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  return `status ${code}, its own memory ${most.toFixed(0)} MiB`;
}

const HEAD = ['step', 'result', 'seconds', 'processor, s', 'memory, MiB', 'log, MiB', 'creates', 'p50, ms'];
row([...HEAD, 'p99, ms', 'longest, ms']);
row([...HEAD, '', ''].map(() => '---'));
const tenth = Math.ceil(entries / 10);
await step('nothing', async () => {
  await pause(3000);
  return '';
});
await step(`import of ${entries} by HTTP`, () => send('list=many&mode=audit', lines(0, entries)));
await step('the index takes them in', async () => {
  const known = await admin.send('POST', '/v2/zones/check', { name: 'known.example.' });
  return String(known.status);
});
await step('PATCH of the list to enforce', async () => {
  const { changed } = await expectSuccess(admin, 'PATCH', '/v2/blacklists/lists/many', { mode: 'enforce' });
  return `${changed} changed`;
});
await step('sync, a tenth others', () => send('list=many&sync=true', lines(tenth, entries + tenth)));
await step('the same as a dry run', () =>
  send('list=many&sync=true&dry_run=true', lines(2 * tenth, entries + 2 * tenth)),
);
await step('DELETE of the list', async () =>
  over((await admin.send('DELETE', '/v2/blacklists/lists/many')).text),
);
const file = join(service.dataDir, 'patterns.txt');
writeFileSync(file, [...lines(0, entries)].join(''));
await step('import by command', () => command('blacklist', 'import', '--list', 'many', file));
await step('removal by command', () => command('blacklist', 'remove', '--list', 'many'));

await step('16 MiB of one line', () => send('list=bad', ['x'.repeat(LARGE)]));
await step('16 MiB of lines of 4,096 characters', () =>
  send(
    'list=bad',
    Array.from({ length: LARGE / 4096 }, (_, i) => `^${String(i).padStart(4095, 'x')}\n`),
  ),
);
await step('16 MiB of one pattern, line by line', () =>
  send(
    'list=bad',
    Array.from({ length: 256 }, () => '^the-same-again\\.\n'.repeat(LARGE / 256 / 18)),
  ),
);
await step('16 MiB of faults', () =>
  send(
    'list=bad',
    Array.from({ length: 256 }, () => '(\n'.repeat(LARGE / 256 / 2)),
  ),
);
await step('ten imports at once', async () => {
  const said = await Promise.all(
    Array.from({ length: 10 }, () => send('list=bad&sync=true', lines(0, tenth))),
  );
  const counts = new Map<string, number>();
  for (const one of said) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} × ${what}`).join('; ');
});
await creates.end();
await step('verify', () => command('verify'));
if (creates.failed > 0) console.log(`\n${creates.failed} creates were not answered 202.`);
for (const client of [admin, member]) client.close();
await service.remove();
process.exitCode = creates.failed > 0 ? 1 : 0;
