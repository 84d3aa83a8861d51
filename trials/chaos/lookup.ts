import type { Mode } from '../../src/model/blacklists/blacklist.ts';
import { Span } from '../histories/span.ts';
import type { Caller } from './caller.ts';
import type { Stored } from './events.ts';
import { requireNoRivals } from './family-operations.ts';
import type { Ledger } from './ledger.ts';
import { LIMITS, type Recordset, type Tenant, type Zone } from './model.ts';
import { settleQuotas } from './quota-operations.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came back is looked into, not trusted
type Json = any;

function requirePresence(ledger: Ledger, zone: Zone, isThere: boolean, stays: boolean): void {
  const { name, tenant, presence, born } = zone;
  if (presence === 'there') {
    ledger.require('acknowledged and lost', stays, () => `${name} of ${tenant.id}, asked for at ${born}`);
  }
  const isGone = presence === 'gone' ? !isThere : !stays;
  if (presence === 'gone' || presence === 'leaving') {
    ledger.require('acknowledged and lost', isGone, () => `the removal of ${name}`);
  }
}

/** Looks everything up through the API, at a process chosen anew each time, while nothing is under way. */
export class Lookup {
  readonly #world: World;
  readonly #callers: readonly Caller[];
  #turn = 0;

  /** @param callers as many as there may be requests at a time */
  constructor(world: World, callers: readonly Caller[]) {
    this.#world = world;
    this.#callers = callers;
  }

  async #get(path: string, token: string): Promise<{ status: number; json: Json }> {
    const caller = this.#callers[this.#turn++ % this.#callers.length]!;
    if (caller.dice.chance(0.5)) caller.moveFrom(caller);
    return caller.require({ method: 'GET', path, token });
  }

  async #each<T>(items: readonly T[], look: (item: T) => Promise<void>): Promise<void> {
    const rest = items[Symbol.iterator]();
    const worker = async () => {
      for (let next = rest.next(); !next.done; next = rest.next()) await look(next.value);
    };
    await Promise.all(this.#callers.map(worker));
  }

  async #all(path: string, key: string, token: string): Promise<Json[]> {
    const rows: Json[] = [];
    for (let marker = ''; ; ) {
      const { status, json } = await this.#get(`${path}?limit=1000${marker}`, token);
      this.#world.ledger.require('unexpected answer', status === 200, () => `${path}: ${status}`);
      if (status !== 200) return rows;
      rows.push(...json[key]);
      if (json.links.next === undefined) return rows;
      marker = `&marker=${rows.at(-1).id}`;
    }
  }

  /**
   * Holds all that is stored against all that may be, and takes it for the truth from then on.
   * @param isLast looks each single thing up, not only what was written since the pause before
   */
  async settle(isLast: boolean): Promise<void> {
    const { patterns, admin, tenants, zones } = this.#world;
    const end = this.#world.ledger.now();
    for (const tenant of tenants) await this.#settleTenant(tenant, end, isLast);
    const { json } = await this.#get('/v2/blacklists', admin);
    const rows = json.blacklists as { id: string; pattern: string; mode?: Mode }[];
    // What is at its default is not shown.
    const stored = rows.map(({ id, pattern, mode = 'enforce' }) => [pattern, { id, mode }] as const);
    patterns.settle(new Map(stored), [...zones]);
    requireNoRivals(this.#world, [...zones]);
    await this.#requireGone(isLast);
  }

  /** What is there now, for whoever holds something else against it. */
  async stored(): Promise<Stored> {
    const { tenants, admin, goneIds } = this.#world;
    const zones: Stored['zones'][number][] = [];
    for (const { token } of tenants) zones.push(...(await this.#all('/v2/zones', 'zones', token)));
    return { zones, blacklists: await this.#all('/v2/blacklists', 'blacklists', admin), gone: goneIds };
  }

  async #settleTenant(tenant: Tenant, end: number, isLast: boolean): Promise<void> {
    const { admin, ledger } = this.#world;
    const quotas = await this.#get(`/v2/quotas/${tenant.id}`, admin);
    settleQuotas(this.#world, tenant, quotas.json);
    for (const name of LIMITS) tenant.limits[name] = new Span(quotas.json[name]);
    const rows = await this.#all('/v2/zones', 'zones', tenant.token);
    await this.#settleZones(tenant, rows, end, isLast);
    tenant.zones = new Span(rows.length);
    for (const zone of this.#world.zones) {
      if (zone.tenant === tenant && zone.presence === 'leaving') zone.left = tenant.zones.begin(-1);
    }
    ledger.require('above a quota', rows.length <= tenant.peak, () => {
      return `${tenant.id} has ${rows.length} zones; there was never room for more than ${tenant.peak}`;
    });
    tenant.peak = Math.max(rows.length, quotas.json.zones);
  }

  async #settleZones(tenant: Tenant, rows: readonly Json[], end: number, isLast: boolean): Promise<void> {
    const { zones, ledger } = this.#world;
    const stored = new Map(rows.map((row) => [row.name as string, row]));
    const known = [...zones].filter((zone) => zone.tenant === tenant);
    const names = new Set(known.map(({ name }) => name));
    for (const name of stored.keys()) {
      if (!names.has(name)) ledger.fault('not as written', `${name} of ${tenant.id}, that nobody wrote`);
    }
    const present = known.filter((zone) => this.#settleZone(zone, stored.get(zone.name), end));
    const chosen = present.filter(({ isTouched }) => isTouched || isLast);
    await this.#each(chosen, (zone) => this.#settleContents(zone));
    for (const zone of present) zone.isTouched = false;
  }

  /** Whether the zone is there, and stays. */
  #settleZone(zone: Zone, row: Json | undefined, end: number): boolean {
    const { zones, ledger, patterns, goneIds } = this.#world;
    const { name, tenant, presence, id } = zone;
    const isThere = row !== undefined && (id === undefined || row.id === id);
    const stays = isThere && row.action !== 'DELETE';
    requirePresence(ledger, zone, isThere, stays);
    if (!isThere) {
      if (id !== undefined) goneIds.push({ id, name, tenant });
      zones.delete(zone);
      return false;
    }
    if (!stays) {
      zone.presence = 'leaving';
      return false;
    }
    if (presence === 'unsure' && id === undefined) patterns.requireFree(zone, zone.born, end);
    ledger.require('not as written', zone.descriptions.includes(row.description), () => {
      return `the description of ${name} is ${row.description}, not ${zone.descriptions.join(' or ')}`;
    });
    ledger.require('not as written', row.serial >= zone.serial, () => {
      return `the serial of ${name} is ${row.serial}, and was ${zone.serial}`;
    });
    zone.id = row.id;
    zone.presence = 'there';
    zone.descriptions = [row.description];
    zone.serial = row.serial;
    zone.isClosed = false;
    zone.isChanging = false;
    return true;
  }

  async #settleContents(zone: Zone): Promise<void> {
    const { ledger } = this.#world;
    const { token } = zone.tenant;
    const alone = await this.#get(`/v2/zones/${zone.id}`, token);
    ledger.require('acknowledged and lost', alone.json.name === zone.name, () => `${zone.name}, by its id`);
    const rows = await this.#all(`/v2/zones/${zone.id}/recordsets`, 'recordsets', token);
    const managed = rows.filter(({ type }) => type !== 'A').map(({ type }) => type);
    ledger.require('half-written', managed.sort().join() === 'NS,SOA', () => {
      return `${zone.name} has of its own: ${managed.join()}`;
    });
    const stored = new Map(rows.filter(({ type }) => type === 'A').map((row) => [row.name as string, row]));
    this.#requireWholeSets(zone, stored);
    for (const recordset of zone.recordsets.values()) this.#settleRecordset(zone, recordset, stored);
    for (const name of stored.keys()) ledger.fault('not as written', `${name}, that nobody wrote`);
    zone.count = new Span(zone.recordsets.size);
  }

  /** A set of changes without an answer was made as a whole, or not at all. */
  #requireWholeSets({ name, recordsets }: Zone, stored: ReadonlyMap<string, Json>): void {
    const outcomes = new Map<object, Set<boolean>>();
    for (const recordset of recordsets.values()) {
      const { set } = recordset;
      if (set === undefined) continue;
      const isMade = stored.has(recordset.name) === (set.does === 'create');
      outcomes.set(set.of, (outcomes.get(set.of) ?? new Set()).add(isMade));
      recordset.set = undefined;
    }
    for (const outcome of outcomes.values())
      this.#world.ledger.require('half-written', outcome.size === 1, () => `a set of changes of ${name}`);
  }

  #settleRecordset(zone: Zone, recordset: Recordset, stored: Map<string, Json>): void {
    const { ledger } = this.#world;
    const { name, presence } = recordset;
    const row = stored.get(name);
    stored.delete(name);
    if (presence === 'there') {
      // A recordset without an id came with its zone.
      const check = recordset.id === undefined ? 'half-written' : 'acknowledged and lost';
      ledger.require(check, row !== undefined, () => name);
    }
    if (presence === 'gone') {
      ledger.require('acknowledged and lost', row === undefined, () => `the removal of ${name}`);
    }
    if (row === undefined) {
      zone.recordsets.delete(name);
      return;
    }
    const found = row.records.join(' ');
    ledger.require('not as written', recordset.possible.includes(found), () => {
      return `${name} is ${found}, not ${recordset.possible.join(' or ')}`;
    });
    recordset.id = row.id;
    recordset.presence = 'there';
    recordset.possible = [found];
    recordset.isBusy = false;
  }

  /** What was deleted does not come back. */
  async #requireGone(isLast: boolean): Promise<void> {
    const { goneIds, ledger } = this.#world;
    const chosen = isLast ? goneIds : goneIds.slice(-200);
    await this.#each(chosen, async ({ id, name, tenant }) => {
      const { status } = await this.#get(`/v2/zones/${id}`, tenant.token);
      ledger.require('acknowledged and lost', status === 404, () => `the removal of ${name}: ${status}`);
    });
  }
}
