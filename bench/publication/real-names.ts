/** Many names from nothing to all answered by BIND, and whether it has every serial that the store has. */
import { readFileSync } from 'node:fs';
import { isLaterSerial } from '../../src/dns/serial.ts';
import { connect, expectSuccess, forEachInParallel } from '../../test/support/client.ts';
import type { NameServer } from '../../test/support/name-servers/place.ts';
import { startNameServer } from '../../test/support/name-servers/servers.ts';
import { Asker } from './asker.ts';
import { Shares } from './processes.ts';
import { line, round, rows } from './report.ts';
import { type Backend, openStage, type Stage } from './stage.ts';

const IN_FLIGHT = 16;
const PATIENCE = 3_600_000;
const PAGE = 1000;

/** The distinct names of files, absolute; made up without a file. */
export function readNames(files: readonly string[], count: number): string[] {
  if (files.length === 0) return Array.from({ length: count }, (_, number) => `name-${number}.example.`);
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split(/\r?\n/));
  const names = lines.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return [...new Set(names.map((name) => (name.endsWith('.') ? name : `${name}.`)))];
}

interface Step {
  readonly step: string;
  readonly zones: number;
  readonly seconds: number;
  readonly a_second: number;
  /** Processors that each had, on the average. */
  readonly service: number;
  readonly named: number;
  readonly machine: number;
}

/** Measures a step, and who had the processors during it. */
async function stepOf(step: string, zones: number, pids: Record<string, number>, work: () => Promise<void>) {
  const shares = new Shares(pids);
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const { service = 0, named = 0, machine = 0 } = shares.now();
  const taken = { service: round(service, 2), named: round(named, 2), machine: round(machine, 2) };
  return { step, zones, seconds: round(seconds), a_second: Math.round(zones / seconds), ...taken };
}

/** Creates the zones; returns those that were not refused. */
async function createAll({ service, token }: Stage, names: readonly string[]): Promise<string[]> {
  const client = connect(service.url, token, IN_FLIGHT);
  const created: string[] = [];
  await forEachInParallel(names, IN_FLIGHT, async (name) => {
    const { status } = await client.send('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    if (status === 202) created.push(name);
  });
  client.close();
  return created;
}

/** What the store has: the serial of each zone. */
async function storedSerials({ service, token }: Stage): Promise<Map<string, number>> {
  const client = connect(service.url, token, 1);
  const serials = new Map<string, number>();
  let next: string | undefined = `/v2/zones?limit=${PAGE}`;
  while (next !== undefined) {
    const page: { zones: { name: string; serial: number }[]; links: { next?: string } } = await expectSuccess(
      client,
      'GET',
      next,
    );
    for (const { name, serial } of page.zones) serials.set(name, serial);
    next = page.links.next;
  }
  client.close();
  return serials;
}

interface Compared {
  readonly stored: number;
  readonly missing: number;
  readonly behind: number;
  readonly ahead: number;
}

/** The serials of the store against those of a server. */
async function compare(stage: Stage, asker: Asker): Promise<Compared> {
  const stored = await storedSerials(stage);
  const served = await asker.serialsOf([...stored.keys()]);
  const pairs = [...stored].map(([name, serial]) => [serial, served.get(name)] as const);
  return {
    stored: stored.size,
    missing: pairs.filter(([, at]) => at === undefined).length,
    behind: pairs.filter(([serial, at]) => at !== undefined && isLaterSerial(serial, at)).length,
    ahead: pairs.filter(([serial, at]) => at !== undefined && isLaterSerial(at, serial)).length,
  };
}

/** Creates all, with BIND in the pool from the beginning. */
async function whileCreating(
  stage: Stage,
  bind: NameServer,
  names: readonly string[],
): Promise<[Step, Compared]> {
  const asker = await Asker.open(bind.port);
  const pids = { service: stage.service.pid, named: bind.pid };
  stage.applyPool([bind]);
  const step = await stepOf('created, and answered by BIND', names.length, pids, async () => {
    const begun = performance.now();
    const created = await createAll(stage, names);
    const seconds = round((performance.now() - begun) / 1000);
    console.log(`${created.length} of ${names.length} zones were created, the last one after ${seconds} s.`);
    await asker.untilAllAnswered(created, PATIENCE);
  });
  const compared = await compare(stage, asker);
  asker.close();
  return [step, compared];
}

/** An empty BIND takes the place of the first one. */
async function fromNothing(stage: Stage, bind: NameServer): Promise<[Step, Compared]> {
  const asker = await Asker.open(bind.port);
  const names = [...(await storedSerials(stage)).keys()];
  const pids = { service: stage.service.pid, named: bind.pid };
  const step = await stepOf('an empty BIND has all', names.length, pids, async () => {
    stage.applyPool([bind]);
    await asker.untilAllAnswered(names, PATIENCE);
  });
  const compared = await compare(stage, asker);
  asker.close();
  return [step, compared];
}

export async function realNames(backend: Backend, names: readonly string[]): Promise<void> {
  const stage = await openStage(backend);
  const servers: NameServer[] = [];
  try {
    servers.push(await startNameServer('BIND', stage.known));
    const created = await whileCreating(stage, servers[0]!, names);
    await servers[0]!.stop();
    servers.push(await startNameServer('BIND', stage.known));
    const loaded = await fromNothing(stage, servers[1]!);
    const measured = [created, loaded].map(([step, { missing, behind, ahead }]) => {
      return { ...step, missing, behind, ahead };
    });
    rows(measured);
    line('real-names', { names: names.length, steps: measured });
  } finally {
    for (const server of servers) await server.remove();
    await stage.remove();
  }
}
