import { setTimeout as sleep } from 'node:timers/promises';
import { TYPE, typeName } from '../../../src/dns/record-types.ts';
import type { WireRecord } from '../../../src/dns/wire/message.ts';
import { askByUdp } from '../../../test/support/dns-client.ts';
import type { Caller } from '../caller.ts';
import type { World } from '../world.ts';
import { CATALOG, type NameServer } from './name-server.ts';
import type { Servers } from './servers.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came back is looked into, not trusted
type Json = any;

/** How long it may take, once nothing is injured any more, until store and servers agree. */
const BOUND_MS = 180_000;
const PAUSE_MS = 500;
const MAX_SHOWN = 20;

/** A zone of the store, with a line for each of its records. */
interface StoredZone {
  readonly name: string;
  readonly lines: ReadonlySet<string>;
}

const line = (name: string, type: string, ttl: number, rdata: string) => `${name} ${ttl} ${type} ${rdata}`;
const lineOf = ({ name, type, ttl, rdata }: WireRecord) => line(name, typeName(type), ttl, rdata);

/** Looks whether the store and its name servers have the same zones, with the same records. */
export class Agreement {
  readonly #world: World;
  readonly #servers: Servers;
  readonly #callers: readonly Caller[];

  /** @param callers as many as there may be requests at a time */
  constructor(world: World, servers: Servers, callers: readonly Caller[]) {
    this.#world = world;
    this.#servers = servers;
    this.#callers = callers;
  }

  /**
   * Waits until all agree, with no hand laid on anything.
   * @param since when the last injury was healed
   */
  async require(since: number): Promise<void> {
    const { ledger } = this.#world;
    if (this.#servers.servers.length === 0) return;
    let activeAt: number | undefined;
    for (;;) {
      const { zones, waiting, faults } = await this.#look();
      if (waiting.length === 0) activeAt ??= ledger.now();
      if (waiting.length + faults.length === 0) return this.#tell(zones, since, activeAt!);
      if (ledger.now() - since > BOUND_MS) return this.#tellFaults(waiting, faults);
      await sleep(PAUSE_MS);
    }
  }

  /** While zones wait, nothing is compared. */
  async #look(): Promise<{ zones: number; waiting: readonly Json[]; faults: readonly string[] }> {
    const zones = await this.#zones();
    const waiting = zones.filter(({ status, action }) => status !== 'ACTIVE' || action !== 'NONE');
    const faults = waiting.length > 0 ? [] : await this.#compare(zones);
    return { zones: zones.length, waiting, faults };
  }

  #tell(zones: number, since: number, activeAt: number): void {
    const { ledger } = this.#world;
    const seconds = (from: number) => `${((ledger.now() - from) / 1000).toFixed(1)} s`;
    ledger.figures.set('zones compared', String(zones));
    ledger.figures.set('all ACTIVE and equal after', seconds(since));
    ledger.figures.set('of these, ACTIVE but not equal', seconds(activeAt));
    ledger.looked('waits for ever', zones);
    ledger.looked('servers differ', zones * this.#servers.servers.length);
  }

  #tellFaults(waiting: readonly Json[], faults: readonly string[]): void {
    const { ledger } = this.#world;
    for (const { name, status, action } of waiting.slice(0, MAX_SHOWN)) {
      ledger.fault('waits for ever', `${name} is ${status}, ${action}, after ${BOUND_MS} ms`);
    }
    for (const fault of faults.slice(0, MAX_SHOWN)) ledger.fault('servers differ', fault);
  }

  async #zones(): Promise<Json[]> {
    const zones: Json[] = [];
    for (let path = '/v2/zones?limit=1000'; ; ) {
      const { status, json } = await this.#get(path);
      // The zone that the page was to follow has been dropped meanwhile: from the beginning.
      if (status !== 200) return this.#zones();
      zones.push(...json.zones);
      if (json.links.next === undefined) return zones;
      path = `/v2/zones?limit=1000&marker=${zones.at(-1).id}`;
    }
  }

  #get(path: string, caller = this.#callers[0]!): Promise<{ status: number; json: Json }> {
    const headers = { 'x-auth-all-projects': 'true' };
    return caller.require({ method: 'GET', path, token: this.#world.admin, headers });
  }

  /** What is different, a sentence for each zone and server. */
  async #compare(zones: readonly Json[]): Promise<string[]> {
    const rest = zones[Symbol.iterator]();
    const stored: StoredZone[] = [];
    const faults: string[] = [];
    const worker = async (caller: Caller) => {
      for (let next = rest.next(); !next.done; next = rest.next()) {
        const zone = await this.#stored(next.value, caller);
        stored.push(zone);
        for (const server of this.#servers.servers) faults.push(...(await this.#differences(server, zone)));
      }
    };
    await Promise.all(this.#callers.map(worker));
    for (const server of this.#servers.servers) faults.push(...(await this.#surplus(server, stored)));
    return faults;
  }

  async #stored({ id, name, ttl }: Json, caller: Caller): Promise<StoredZone> {
    const { json } = await this.#get(`/v2/zones/${id}/recordsets?limit=1000`, caller);
    const lines = json.recordsets.flatMap((set: Json) =>
      set.records.map((record: string) => line(set.name, set.type, set.ttl ?? ttl, record)),
    );
    return { name, lines: new Set(lines) };
  }

  async #differences(server: NameServer, { name, lines }: StoredZone): Promise<string[]> {
    // The SOA stands at both ends.
    const served = new Set((await this.#servers.transfer(server, name)).map(lineOf));
    const differences = [
      ...[...lines].filter((one) => !served.has(one)).map((one) => `lacks "${one}"`),
      ...[...served].filter((one) => !lines.has(one)).map((one) => `has "${one}"`),
    ];
    if (differences.length === 0) return [];
    return [`name server ${server.index} ${differences.slice(0, MAX_SHOWN).join(' and ')}`];
  }

  /** Zones that the server has and the store has not. */
  async #surplus(server: NameServer, stored: readonly StoredZone[]): Promise<string[]> {
    const names = new Set(stored.map(({ name }) => name));
    const records = await this.#servers.transfer(server, `${CATALOG}.`);
    const members = records.filter(({ type }) => type === TYPE.PTR).map(({ rdata }) => rdata);
    const gone = new Set(this.#world.goneIds.map(({ name }) => name).filter((name) => !names.has(name)));
    const answered: string[] = [];
    for (const name of gone) if (await this.#has(server, name)) answered.push(name);
    const has = (name: string, where: string) => `name server ${server.index} has ${name} ${where}`;
    return [
      ...members.filter((name) => !names.has(name)).map((name) => has(name, 'in its catalog')),
      ...answered.map((name) => has(name, 'though it was deleted')),
      ...(members.length === new Set(members).size ? [] : [has('a name', 'twice in its catalog')]),
    ];
  }

  async #has({ port }: NameServer, name: string): Promise<boolean> {
    const { answers } = await askByUdp({ host: '127.0.0.1', port }, { name, type: 'SOA' });
    return answers.some(({ type }) => type === TYPE.SOA);
  }
}
