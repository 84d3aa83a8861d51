import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { run as runProgram } from '../../test/support/process.ts';
import { makeStoreOf } from '../../test/support/store.ts';
import { Caller } from './caller.ts';
import { Dice } from './dice.ts';
import { requireEvents } from './events.ts';
import { Injurer } from './injuries.ts';
import { Ledger } from './ledger.ts';
import { work } from './load.ts';
import { Lookup } from './lookup.ts';
import { Member, PROGRAM } from './members.ts';
import { newTenant, type Tenant, type Zone } from './model.ts';
import { Patterns } from './patterns.ts';
import { setRoomyQuotas } from './quota-operations.ts';
import { Agreement } from './servers/agreement.ts';
import { makeServers, NO_SERVERS, type Servers } from './servers/servers.ts';
import type { Site } from './sites.ts';
import type { Client, World } from './world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly clients: number;
  /** The run ends with the round in which both have been reached, and every kind of injury has been inflicted. */
  readonly seconds: number;
  readonly kills: number;
  /** Whether two name servers are to have every zone. */
  readonly hasServers: boolean;
  /** Where the logs and the history go. */
  readonly folder: string;
}

/** How long the load goes on between two pauses in which everything is looked up, in milliseconds. */
const ROUND_MS = 20_000;
const SLOTS = 10;
const MAX_FAULTS = 50;

const TENANTS: readonly (readonly [string, Tenant['kind']])[] = [
  ['roomy-1', 'roomy'],
  ['roomy-2', 'roomy'],
  ['roomy-3', 'roomy'],
  ['tight-1', 'tight'],
  ['tight-2', 'tight'],
  ['family-1', 'family'],
  ['family-2', 'family'],
];

/** Independent dice for each that throws them: what one does takes nothing from the others. */
function diceOf(seed: number, who: string): Dice {
  return new Dice(createHash('sha256').update(`${seed} ${who}`).digest().readInt32BE());
}

const zonewarden = (site: Site, ...args: string[]) =>
  runProgram([process.execPath, PROGRAM, ...args], { env: site.commandEnvironment });

async function command(site: Site, ...args: string[]): Promise<string> {
  const { status, out, err } = await zonewarden(site, ...args);
  if (status !== 0) throw new Error(`zonewarden ${args.join(' ')} ended with ${status}: ${out}${err}`);
  return out.trim();
}

async function makeWorld(site: Site, ledger: Ledger, publishes: boolean): Promise<World> {
  await makeStoreOf(site.commandEnvironment);
  const admin = await command(site, 'token', 'create', '--project', 'admin', '--role', 'admin');
  const tenants = await Promise.all(
    TENANTS.map(async ([id, kind]) => {
      const token = await command(site, 'token', 'create', '--project', id, '--role', 'member');
      return newTenant(id, token, kind);
    }),
  );
  const patterns = new Patterns(ledger, SLOTS);
  const nothing = { zones: new Set<Zone>(), freed: [], goneIds: [], counter: 0 };
  return { ledger, admin, tenants, patterns, publishes, ...nothing };
}

async function makeMembers(site: Site, servers: Servers, ledger: Ledger, folder: string): Promise<Member[]> {
  const members: Member[] = [];
  for (let index = 0; index < site.members; index++) {
    const logFile = join(folder, `process-${index}.log`);
    const env = { ...site.environment(index), ...servers.environment(index) };
    members.push(new Member({ index, port: await freePort(), env, logFile, ledger }));
  }
  return members;
}

async function verify(site: Site, ledger: Ledger): Promise<void> {
  const { status, out, err } = await zonewarden(site, 'verify');
  ledger.write({ verified: out, err, status });
  ledger.require('not verified', status === 0, () => `status ${status}: ${out}${err}`);
}

/** Runs the load and the injuries in rounds; after each, everything is healed, ended, started and looked up. */
export async function run(site: Site, options: RunOptions): Promise<Ledger> {
  const { seed, folder } = options;
  mkdirSync(folder, { recursive: true });
  const ledger = new Ledger(join(folder, 'history.jsonl'));
  const ground = { folder, members: site.members, ledger, dice: (who: string) => diceOf(seed, who) };
  const servers = options.hasServers ? await makeServers(ground) : NO_SERVERS;
  const world = await makeWorld(site, ledger, options.hasServers);
  const members = await makeMembers(site, servers, ledger, folder);
  const dice = diceOf(seed, 'the injurer');
  const injurer = new Injurer({
    members,
    ofStore: site.injuries,
    ofServers: servers.injuries,
    ledger,
    dice,
  });
  const callers = (who: string, count: number) =>
    Array.from({ length: count }, (_, place) => new Caller(members, ledger, diceOf(seed, `${who} ${place}`)));
  const others = callers('other', options.clients);
  const clients = callers('client', options.clients).map(
    (caller, place): Client => ({ world, caller, other: others[place]! }),
  );
  const lookup = new Lookup(world, callers('lookup', 12));
  const agreement = new Agreement(world, servers, callers('agreement', 4));

  const startAll = () => Promise.all(members.map((member) => member.start(() => false)));
  const endAll = async () => {
    await Promise.all(
      members.map(async (member) => {
        if (dice.chance(0.5)) return member.stop();
        ledger.injury('kill -9 of a process before a look-up', true, { process: member.index });
        member.kill();
        return member.gone();
      }),
    );
    await site.quiet();
  };
  const round = async () => {
    let isOver = false;
    const over = () => isOver || ledger.faults.length > MAX_FAULTS;
    const injuring = injurer.injure(over);
    const working = Promise.all(clients.map((client) => work(client, over)));
    await Promise.race([new Promise((resolve) => setTimeout(resolve, ROUND_MS)), working]);
    isOver = true;
    await injuring;
    await injurer.heal();
    await working;
  };

  const killAll = () => {
    for (const member of members) member.kill();
    servers.abandon();
  };
  process.once('exit', killAll);
  try {
    await startAll();
    await servers.start(world.admin, clients[0]!.caller, (...args) => command(site, ...args));
    for (const tenant of world.tenants) {
      if (tenant.kind !== 'tight') await setRoomyQuotas(clients[0]!, tenant);
    }
    for (let isLast = false; !isLast; ) {
      await round();
      isLast =
        ledger.faults.length > 0 || (ledger.now() >= options.seconds * 1000 && ledger.kills >= options.kills);
      await endAll();
      await startAll();
      if (isLast) await agreement.require(ledger.now());
      await lookup.settle(isLast);
      requireEvents(ledger, await command(site, 'events', '--json'), await lookup.stored());
      await verify(site, ledger);
    }
    await Promise.all(members.map((member) => member.stop()));
  } finally {
    killAll();
    process.off('exit', killAll);
    await Promise.all(members.map((member) => member.gone()));
    await ledger.close();
  }
  return ledger;
}
