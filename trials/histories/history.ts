/**
 * Random operations of several projects in parallel, held against a sequential model: no counter is ever above its
 * limit, and none is refused while there was room. Each create meets what the blacklist entries say that were in force
 * at some time of it: it is refused, or has the header Warning, or has none.
 */
import type { TsigSecret } from '../../src/dns/wire/tsig.ts';
import { Entries } from './entries.ts';
import type { Met } from './entry-model.ts';
import type { HistoryMasters } from './masters.ts';
import { Span } from './span.ts';
import type { HistoryUpdates, SentChange } from './updates.ts';

export interface HistoryClient {
  request(
    method: string,
    path: string,
    request: { token: string; body?: unknown; headers?: Readonly<Record<string, string>> },
  ): Promise<{
    status: number;
    json: Record<string, unknown>;
    headers: { get(name: string): string | null };
  }>;
}

export interface HistorySettings {
  readonly client: HistoryClient;
  readonly admin: string;
  /** A member's token for each project. */
  readonly projects: readonly { readonly id: string; readonly token: string }[];
  readonly operations: number;
  readonly parallel: number;
  readonly seed: number;
  /** Those of secondary zones; without them, all zones are primary ones. */
  readonly masters?: HistoryMasters;
  /** Sends DNS UPDATE; without it, all is written over HTTP. */
  readonly updates?: HistoryUpdates;
}

export interface HistoryResult {
  readonly operations: number;
  readonly refusals: number;
  readonly faults: readonly string[];
  readonly byKind: Readonly<Record<string, number>>;
  /** The refused ones among them. */
  readonly refusedByKind: Readonly<Record<string, number>>;
  /** What the creates have met whose names blacklist entries could match. */
  readonly met: Readonly<Record<Met, number>>;
  /** How many of these could have met nothing else. */
  readonly certain: number;
}

/** For the masters of a zone to be asked, in milliseconds. */
const LONGEST_WAIT = 300_000;

type QuotaKey = 'zones' | 'zone_recordsets' | 'zone_records' | 'recordset_records';

interface Project {
  readonly id: string;
  readonly token: string;
  readonly zones: Span;
  readonly limits: Record<QuotaKey, Span>;
  /** One change of quotas at a time, so that the model knows what the limit is. */
  setting: boolean;
}

interface ZoneModel {
  readonly id: string;
  readonly name: string;
  readonly isSecondary: boolean;
  owner: Project;
  readonly recordsets: Span;
  readonly records: Span;
  readonly held: Map<string, RecordsetModel>;
  /** With whom it is shared, by the id of each share. */
  readonly shares: Map<Project, string>;
  /** Its key for updates, once it has one. */
  key: TsigSecret | undefined;
  /** Number of changes by updates that the owner sees. */
  updates: number;
  /** Deleting or moving: no other operation begins on it. */
  closing: boolean;
  underWay: number;
}

interface RecordsetModel {
  readonly id: string;
  /** Whose it is; undefined for the owner of the zone. */
  creator: Project | undefined;
  records: number;
  busy: boolean;
}

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An answer, and whether a blacklist entry has refused. */
interface Grown {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly isBlacklisted?: boolean;
}

interface Growth {
  readonly key: QuotaKey;
  readonly usage?: Span;
  /** For a counter that no span holds: what it would be. */
  readonly absolute?: number;
  readonly by: number;
}

export class History {
  readonly #settings: HistorySettings;
  readonly #random: () => number;
  readonly #projects: readonly Project[];
  readonly #zones: ZoneModel[] = [];
  readonly #faults: string[] = [];
  readonly #byKind: Record<string, number> = {};
  readonly #refusedByKind: Record<string, number> = {};
  readonly #entries: Entries;
  #refusals = 0;
  #done = 0;
  #names = 0;

  constructor(settings: HistorySettings) {
    this.#settings = settings;
    this.#random = generator(settings.seed);
    this.#projects = settings.projects.map((project) => ({
      ...project,
      zones: new Span(0),
      limits: {
        zones: new Span(10),
        zone_recordsets: new Span(500),
        zone_records: new Span(500),
        recordset_records: new Span(20),
      },
      setting: false,
    }));
    const { client, admin, projects, seed } = settings;
    this.#entries = new Entries({
      client,
      admin,
      projectIds: projects.map(({ id }) => id),
      seed,
      faults: this.#faults,
      count: (kind) => this.#count(kind),
    });
  }

  async run(): Promise<HistoryResult> {
    await Promise.all(this.#projects.map((project) => this.#setQuotas(project)));
    const worker = async () => {
      while (this.#done < this.#settings.operations && this.#faults.length < 20) {
        this.#done++;
        await this.#one();
      }
    };
    await Promise.all(Array.from({ length: this.#settings.parallel }, worker));
    await this.#compare();
    await this.#entries.compare();
    const { met, certain } = this.#entries;
    return {
      operations: this.#done,
      refusals: this.#refusals,
      faults: this.#faults,
      byKind: this.#byKind,
      refusedByKind: this.#refusedByKind,
      met,
      certain,
    };
  }

  #int(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[this.#int(0, items.length - 1)];
  }

  #openZone(): ZoneModel | undefined {
    return this.#pick(this.#zones.filter(({ closing }) => !closing));
  }

  async #one(): Promise<void> {
    if (this.#random() < 0.06) return this.#entries.turn();
    const roll = this.#random();
    const project = this.#pick(this.#projects)!;
    const zone = this.#openZone();
    if (roll < 0.03) return this.#setQuotas(project);
    if (roll < 0.05) return this.#createSecondary(project);
    if (zone === undefined || roll < 0.17) return this.#createZone(project);
    if (roll < 0.22) return this.#importZone(project);
    return this.#onZone(zone, project, roll);
  }

  async #onZone(zone: ZoneModel, project: Project, roll: number): Promise<void> {
    if (roll < 0.32) return this.#deleteZone(zone);
    if (roll < 0.37) return this.#transfer(zone, project);
    if (roll < 0.45) return this.#shareOrEnd(zone, project);
    if (roll < 0.5) return this.#trespass(zone, project);
    if (zone.isSecondary) return this.#refresh(zone);
    if (roll < 0.6) return this.#changeTogether(zone);
    if (roll < 0.72) return this.#createRecordset(zone);
    if (roll < 0.85) return this.#updateRecordset(zone);
    return this.#deleteRecordset(zone);
  }

  #count(kind: string): void {
    this.#byKind[kind] = (this.#byKind[kind] ?? 0) + 1;
  }

  /** Sends an operation that grows counters of a project, and holds the answer against what the model allows. */
  async #grow(
    kind: string,
    project: Project,
    growths: readonly Growth[],
    send: () => Promise<Grown>,
  ): Promise<Record<string, unknown> | undefined> {
    this.#count(kind);
    const limits = growths.map(({ key }) => project.limits[key].watch());
    const usages = growths.map(({ usage }) => usage?.watch());
    const settle = growths.map(({ usage, by }) => (usage && by !== 0 ? usage.begin(by) : () => {}));
    const answer = await send();
    const happened = answer.status < 300;
    const seenLimits = limits.map((end) => end());
    const seenUsages = usages.map((end) => end?.());
    for (const end of settle) end(happened);
    const overs = growths.map(({ by, absolute }, place) => {
      if (by <= 0) return false;
      // The span's high counts this operation itself.
      const most = absolute ?? seenUsages[place]!.high;
      return most > seenLimits[place]!.low;
    });
    if (happened) this.#requireWithin(kind, growths, seenLimits);
    else if (answer.status === 413) this.#requireJustified(kind, overs, answer.json);
    else if (!answer.isBlacklisted) {
      this.#faults.push(`${kind}: ${answer.status} ${JSON.stringify(answer.json)}`);
    }
    return happened ? answer.json : undefined;
  }

  /** The same for a create, which blacklist entries may refuse by its name. */
  #growNamed(
    kind: string,
    project: Project,
    name: string,
    growths: readonly Growth[],
    send: () => ReturnType<HistoryClient['request']>,
  ): Promise<Record<string, unknown> | undefined> {
    const judge = this.#entries.watch(kind, { projectId: project.id, name });
    return this.#grow(kind, project, growths, async () => {
      const answer = await send();
      return { ...answer, isBlacklisted: judge(answer) };
    });
  }

  #requireWithin(kind: string, growths: readonly Growth[], limits: readonly { high: number }[]): void {
    for (const [place, { key, usage, absolute, by }] of growths.entries()) {
      const least = absolute ?? usage!.low;
      if (by > 0 && least > limits[place]!.high) {
        this.#faults.push(
          `${kind}: ${key} is at least ${least}, above any limit there was (${limits[place]!.high})`,
        );
      }
    }
  }

  #requireJustified(kind: string, overs: readonly boolean[], json: Record<string, unknown>): void {
    this.#refusals++;
    this.#refusedByKind[kind] = (this.#refusedByKind[kind] ?? 0) + 1;
    if (!overs.includes(true)) this.#faults.push(`${kind}: refused with room left: ${json.message}`);
  }

  async #setQuotas(project: Project): Promise<void> {
    if (project.setting) return;
    project.setting = true;
    this.#count('set quotas');
    const values = {
      zones: this.#int(2, 12),
      zone_recordsets: this.#int(0, 8),
      zone_records: this.#int(0, 14),
      recordset_records: this.#int(0, 5),
    };
    const settle = Object.entries(values).map(([key, value]) =>
      project.limits[key as QuotaKey].beginSet(value),
    );
    const { admin, client } = this.#settings;
    const answer = await client.request('PATCH', `/v2/quotas/${project.id}`, { token: admin, body: values });
    for (const end of settle) end(answer.status === 200);
    if (answer.status !== 200) this.#faults.push(`set quotas: ${answer.status}`);
    project.setting = false;
  }

  #addZone(
    id: string,
    name: string,
    owner: Project,
    held: Map<string, RecordsetModel>,
    isSecondary = false,
  ): void {
    const records = [...held.values()].reduce((sum, one) => sum + one.records, 0);
    this.#zones.push({
      id,
      name,
      isSecondary,
      owner,
      recordsets: new Span(held.size),
      records: new Span(records),
      held,
      shares: new Map(),
      key: undefined,
      updates: 0,
      closing: false,
      underWay: 0,
    });
  }

  async #createZone(project: Project): Promise<void> {
    const name = this.#entries.newName();
    const { client } = this.#settings;
    const created = await this.#growNamed(
      'create zone',
      project,
      name,
      [{ key: 'zones', usage: project.zones, by: 1 }],
      () =>
        client.request('POST', '/v2/zones', { token: project.token, body: { name, email: 'a@example.org' } }),
    );
    if (created) this.#addZone(created.id as string, name, project, new Map());
  }

  async #createSecondary(project: Project): Promise<void> {
    const { client, masters } = this.#settings;
    if (masters === undefined) return this.#createZone(project);
    const name = this.#entries.newName();
    const serial = masters.serve(name, []);
    const body = { name, type: 'SECONDARY', masters: masters.addresses.slice(0, 1) };
    const growths = [{ key: 'zones', usage: project.zones, by: 1 } as const];
    const created = await this.#growNamed('create secondary zone', project, name, growths, () =>
      client.request('POST', '/v2/zones', { token: project.token, body }),
    );
    if (!created) return;
    const id = created.id as string;
    const { status, json } = await this.#untilAsked({ id, owner: project }, serial);
    if (status !== 200) this.#faults.push(`first transfer of ${name}: ${json.message}`);
    this.#addZone(id, name, project, new Map(), true);
  }

  /** Waits until the masters of a zone were asked: 200 if it has their serial, 413 if a quota has kept it as it was. */
  async #untilAsked({ id, owner: { token } }: Pick<ZoneModel, 'id' | 'owner'>, serial: number) {
    const { client } = this.#settings;
    for (const end = Date.now() + LONGEST_WAIT; Date.now() < end; ) {
      const { json: shown } = await client.request('GET', `/v2/zones/${id}/publication`, { token });
      const { fault } = shown.transfer as { fault: string | null };
      const { json: zone } = await client.request('GET', `/v2/zones/${id}`, { token });
      if (fault === null && zone.serial === serial) return { status: 200, json: {} };
      if (fault !== null) {
        return { status: fault.includes('Quota exceeded') ? 413 : 500, json: { message: fault } };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { status: 500, json: { message: 'Its masters were not asked in time.' } };
  }

  /** Other masters are asked at once. */
  async #askOther({ id, owner }: ZoneModel): Promise<void> {
    const { client, masters } = this.#settings;
    const { token } = owner;
    const { json } = await client.request('GET', `/v2/zones/${id}`, { token });
    const [present] = json.masters as string[];
    const body = { masters: masters!.addresses.filter((address) => address !== present) };
    const { status } = await client.request('PATCH', `/v2/zones/${id}`, { token, body });
    if (status !== 202) this.#faults.push(`other masters: ${status}`);
  }

  /** A small step, so that a quota that is passed is often the only one. */
  #nextSizes(before: readonly number[]): readonly number[] {
    const roll = this.#random();
    if (roll < 0.5) return [...before, this.#int(1, 4)];
    const resized = this.#int(0, before.length - 1);
    if (roll < 0.75) return before.map((size, place) => (place === resized ? this.#int(1, 6) : size));
    return before.slice(0, -this.#int(1, 2));
  }

  /** The masters of a zone have another version of it. */
  async #refresh(zone: ZoneModel): Promise<void> {
    await this.#close(zone);
    const { name, owner, recordsets, records } = zone;
    const masters = this.#settings.masters!;
    const before = [...zone.held.values()].map((recordset) => recordset.records);
    const sizes = this.#nextSizes(before);
    const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
    const largest = Math.max(0, ...sizes.filter((size, place) => size > (before[place] ?? 0)));
    const growths: Growth[] = [
      { key: 'zone_recordsets', usage: recordsets, by: sizes.length - before.length },
      { key: 'zone_records', usage: records, by: total(sizes) - total(before) },
      { key: 'recordset_records', absolute: largest, by: largest },
    ];
    const serial = masters.serve(name, sizes);
    const taken = await this.#grow('refresh secondary zone', owner, growths, async () => {
      await this.#askOther(zone);
      return this.#untilAsked(zone, serial);
    });
    if (taken) this.#hold(zone, sizes);
    else await this.#takeBack(zone, serial - 1);
    zone.closing = false;
  }

  /** Nobody writes these recordsets here. */
  #hold({ held }: ZoneModel, sizes: readonly number[]): void {
    held.clear();
    for (const [place, records] of sizes.entries()) {
      held.set(`r${place}`, { id: '', records, creator: undefined, busy: true });
    }
  }

  /** The zone is as its masters have it again, so that the next refusal can be told from this one. */
  async #takeBack(zone: ZoneModel, serial: number): Promise<void> {
    this.#settings.masters!.takeBack(zone.name);
    await this.#askOther(zone);
    let asked = await this.#untilAsked(zone, serial);
    for (const end = Date.now() + LONGEST_WAIT; asked.status !== 200 && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      asked = await this.#untilAsked(zone, serial);
    }
    if (asked.status !== 200) this.#faults.push(`${zone.name} is not current: ${asked.json.message}`);
  }

  async #importZone(project: Project): Promise<void> {
    const name = this.#entries.newName();
    const sizes = Array.from({ length: this.#int(0, 6) }, () => this.#int(1, 4));
    const lines = sizes.flatMap((size, place) =>
      Array.from({ length: size }, (_, record) => `r${place} 300 IN A 192.0.2.${record + 1}`),
    );
    const file = [
      `$ORIGIN ${name}`,
      '@ 3600 IN SOA ns1.invalid. a.example.org. 1 3600 600 86400 3600',
      ...lines,
      '',
    ];
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const growths: Growth[] = [
      { key: 'zones', usage: project.zones, by: 1 },
      { key: 'zone_recordsets', absolute: sizes.length, by: sizes.length },
      { key: 'zone_records', absolute: total, by: total },
      { key: 'recordset_records', absolute: Math.max(0, ...sizes), by: Math.max(0, ...sizes) },
    ];
    const { client } = this.#settings;
    const created = await this.#growNamed('import zone', project, name, growths, () =>
      client.request('POST', '/v2/zones/tasks/imports', {
        token: project.token,
        body: file.join('\n'),
        headers: { 'content-type': 'text/dns' },
      }),
    );
    if (!created) return;
    const listed = await client.request('GET', `/v2/zones/${created.zone_id}/recordsets?limit=max`, {
      token: project.token,
    });
    const rows = listed.json.recordsets as { id: string; type: string; records: string[] }[];
    const held = rows
      .filter(({ type }) => type === 'A')
      .map(
        ({ id, records }) => [id, { id, records: records.length, creator: undefined, busy: false }] as const,
      );
    this.#addZone(created.zone_id as string, name, project, new Map(held));
  }

  /** Waits until nothing is under way on a zone, and lets nothing begin. */
  async #close(zone: ZoneModel): Promise<void> {
    zone.closing = true;
    while (zone.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  async #deleteZone(zone: ZoneModel): Promise<void> {
    this.#count('delete zone');
    await this.#close(zone);
    const { owner } = zone;
    const settle = owner.zones.begin(-1);
    const answer = await this.#settings.client.request('DELETE', `/v2/zones/${zone.id}`, {
      token: owner.token,
      headers: { 'x-designate-delete-shares': 'true' },
    });
    settle(answer.status === 202);
    if (answer.status !== 202) this.#faults.push(`delete zone: ${answer.status}`);
    this.#zones.splice(this.#zones.indexOf(zone), 1);
  }

  async #transfer(zone: ZoneModel, to: Project): Promise<void> {
    if (zone.owner === to) return;
    await this.#close(zone);
    const { client } = this.#settings;
    const from = zone.owner;
    const offer = await client.request('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {
      token: from.token,
      body: {},
    });
    const body = { zone_transfer_request_id: offer.json.id, key: offer.json.key };
    const leave = from.zones.begin(-1);
    const whole = (key: QuotaKey, count: number): Growth => ({ key, absolute: count, by: count });
    const growths = [
      { key: 'zones', usage: to.zones, by: 1 } as const,
      whole('zone_recordsets', zone.recordsets.settled),
      whole('zone_records', zone.records.settled),
      whole('recordset_records', Math.max(0, ...[...zone.held.values()].map(({ records }) => records))),
    ];
    const accepted = await this.#grow('transfer zone', to, growths, () =>
      client.request('POST', '/v2/zones/tasks/transfer_accepts', { token: to.token, body }),
    );
    leave(accepted !== undefined);
    if (accepted) this.#handOver(zone, to);
    else {
      await client.request('DELETE', `/v2/zones/tasks/transfer_requests/${offer.json.id}`, {
        token: from.token,
      });
    }
    zone.closing = false;
  }

  /** The share of the new owner ends, what it created is the owner's, keys end, and earlier changes are hidden from it. */
  #handOver(zone: ZoneModel, to: Project): void {
    zone.owner = to;
    zone.key = undefined;
    zone.updates = 0;
    zone.shares.delete(to);
    for (const recordset of zone.held.values()) {
      if (recordset.creator === to) recordset.creator = undefined;
    }
  }

  /** Shares a zone with a project, or ends the share. */
  async #shareOrEnd(zone: ZoneModel, project: Project): Promise<void> {
    await this.#close(zone);
    const path = `/v2/zones/${zone.id}/shares`;
    const { token } = zone.owner;
    const id = zone.shares.get(project);
    const { client } = this.#settings;
    const expected = this.#expectedOfShare(zone, project);
    this.#count(id === undefined ? 'share zone' : 'end share');
    const body = { target_project_id: project.id };
    const answer =
      id === undefined
        ? await client.request('POST', path, { token, body })
        : await client.request('DELETE', `${path}/${id}`, { token });
    if (answer.status !== expected) this.#faults.push(`share: ${answer.status} instead of ${expected}`);
    if (answer.status === 201) zone.shares.set(project, answer.json.id as string);
    if (answer.status === 204) zone.shares.delete(project);
    zone.closing = false;
  }

  #expectedOfShare(zone: ZoneModel, project: Project): number {
    if (zone.owner === project) return 400;
    if (!zone.shares.has(project)) return 201;
    const isUsed = [...zone.held.values()].some(({ creator }) => creator === project);
    return isUsed ? 400 : 204;
  }

  /** A project reaches for what is not its own: a zone, and a recordset in it, whether or not it sees them. */
  async #trespass(zone: ZoneModel, project: Project): Promise<void> {
    if (zone.owner === project) return;
    this.#count('trespass');
    const idle = this.#idleRecordset(zone);
    const recordset = idle?.creator === project ? undefined : idle;
    if (recordset !== undefined) recordset.busy = true;
    await this.#within(zone, async () => {
      const sees = zone.shares.has(project);
      const path = `/v2/zones/${zone.id}`;
      await this.#requireStatus(project, 'GET', path, sees ? 200 : 404);
      await this.#requireStatus(project, 'DELETE', path, sees ? 401 : 404);
      if (recordset === undefined) return;
      await this.#requireStatus(project, 'DELETE', `${path}/recordsets/${recordset.id}`, sees ? 401 : 404);
    });
    if (recordset !== undefined) recordset.busy = false;
  }

  async #requireStatus({ id, token }: Project, method: string, path: string, expected: number) {
    const { status } = await this.#settings.client.request(method, path, { token });
    if (status !== expected) this.#faults.push(`${id}: ${method} ${path} is ${status}, not ${expected}`);
  }

  async #within(zone: ZoneModel, work: () => Promise<void>): Promise<void> {
    zone.underWay++;
    await work();
    zone.underWay--;
  }

  #records(count: number): string[] {
    return Array.from({ length: count }, (_, place) => `192.0.2.${place + 1}`);
  }

  #createRecordset(zone: ZoneModel): Promise<void> {
    return this.#within(zone, async () => {
      const count = this.#int(1, 6);
      const body = { name: `n${++this.#names}.${zone.name}`, type: 'A', records: this.#records(count) };
      const growths: Growth[] = [
        { key: 'zone_recordsets', usage: zone.recordsets, by: 1 },
        { key: 'zone_records', usage: zone.records, by: count },
        { key: 'recordset_records', absolute: count, by: count },
      ];
      const path = `/v2/zones/${zone.id}/recordsets`;
      const creator = this.#pick([zone.owner, ...zone.shares.keys()])!;
      const created = await this.#grow('create recordset', zone.owner, growths, () =>
        this.#settings.client.request('POST', path, { token: creator.token, body }),
      );
      if (!created) return;
      const id = created.id as string;
      if (created.project_id !== creator.id) this.#faults.push(`${id} is not its creator's`);
      const isOwners = creator === zone.owner;
      zone.held.set(id, { id, records: count, creator: isOwners ? undefined : creator, busy: false });
    });
  }

  #idleRecordset(zone: ZoneModel): RecordsetModel | undefined {
    const recordset = this.#pick([...zone.held.values()]);
    return recordset?.busy ? undefined : recordset;
  }

  /** Who writes a recordset: the owner of its zone, or whose it is. */
  #writer(zone: ZoneModel, { creator }: RecordsetModel): Project {
    return this.#pick([zone.owner, creator ?? zone.owner])!;
  }

  async #updateRecordset(zone: ZoneModel): Promise<void> {
    const recordset = this.#idleRecordset(zone);
    if (recordset === undefined) return;
    recordset.busy = true;
    await this.#within(zone, async () => {
      const count = this.#int(1, 6);
      const by = count - recordset.records;
      const growths: Growth[] = [
        { key: 'zone_records', usage: zone.records, by },
        { key: 'recordset_records', absolute: count, by },
      ];
      const path = `/v2/zones/${zone.id}/recordsets/${recordset.id}`;
      const body = { records: this.#records(count) };
      const changed = await this.#grow('update recordset', zone.owner, growths, () =>
        this.#settings.client.request('PUT', path, { token: this.#writer(zone, recordset).token, body }),
      );
      if (changed) recordset.records = count;
    });
    recordset.busy = false;
  }

  /** The owner's recordsets that nothing is under way on. */
  #idleOfOwner({ held }: ZoneModel): readonly RecordsetModel[] {
    return [...held.values()].filter(({ busy, creator }) => !busy && creator === undefined);
  }

  /** Creates, updates and deletes recordsets of a zone together: quotas hold for the sum. */
  #changeTogether(zone: ZoneModel): Promise<void> {
    return this.#within(zone, async () => {
      const idle = this.#idleOfOwner(zone).slice(0, this.#int(0, 2));
      for (const one of idle) one.busy = true;
      const nameOf = await this.#namesOf(zone, idle);
      await this.#sendSet(zone, idle.slice(0, 1), idle.slice(1), nameOf);
      for (const one of idle) one.busy = false;
    });
  }

  async #sendSet(
    zone: ZoneModel,
    updated: readonly RecordsetModel[],
    deleted: readonly RecordsetModel[],
    nameOf: (recordset: RecordsetModel) => string,
  ): Promise<void> {
    const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0);
    const created = Array.from({ length: this.#int(1, 3) }, () => this.#int(1, 5));
    const names = created.map(() => `n${++this.#names}.${zone.name}`);
    const count = this.#int(1, 6);
    const of = (action: string, name: string, size?: number) => {
      return { action, name, type: 'A', ...(size !== undefined && { records: this.#records(size) }) };
    };
    const changes = [
      ...created.map((size, place) => of('create', names[place]!, size)),
      ...updated.map((one) => of('replace', nameOf(one), count)),
      ...deleted.map((one) => of('delete', nameOf(one))),
    ];
    const gone = total([...updated, ...deleted].map(({ records }) => records));
    const largest = Math.max(...created, ...updated.map(({ records }) => (count > records ? count : 0)));
    const growths: Growth[] = [
      { key: 'zone_recordsets', usage: zone.recordsets, by: created.length - deleted.length },
      { key: 'zone_records', usage: zone.records, by: total(created) + count * updated.length - gone },
      { key: 'recordset_records', absolute: largest, by: largest },
    ];
    const ids = await this.#sendTogether(zone, growths, changes);
    if (ids === undefined) return;
    for (const [place, records] of created.entries()) {
      const id = ids.get(names[place]!)!;
      zone.held.set(id, { id, records, creator: undefined, busy: false });
    }
    for (const one of updated) one.records = count;
    for (const { id } of deleted) zone.held.delete(id);
  }

  /** Sends changes together, by either way. @returns the ids of recordsets by their names; undefined if it was refused */
  async #sendTogether(
    zone: ZoneModel,
    growths: readonly Growth[],
    changes: readonly SentChange[],
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const { updates } = this.#settings;
    if (updates !== undefined && this.#random() < 0.5)
      return this.#sendUpdate(updates, zone, growths, changes);
    const done = await this.#grow('set of changes', zone.owner, growths, () =>
      this.#settings.client.request('POST', `/v2/zones/${zone.id}/changes`, {
        token: zone.owner.token,
        body: { changes },
      }),
    );
    const effects = done?.changes as readonly { name: string; recordset_id: string }[] | undefined;
    return effects && new Map(effects.map(({ name, recordset_id: id }) => [name, id]));
  }

  async #sendUpdate(
    updates: HistoryUpdates,
    zone: ZoneModel,
    growths: readonly Growth[],
    changes: readonly SentChange[],
  ): Promise<ReadonlyMap<string, string> | undefined> {
    const { client } = this.#settings;
    zone.key ??= await this.#newKey(updates, zone);
    const { key } = zone;
    const done = await this.#grow('DNS update', zone.owner, growths, async () => {
      const { status, message } = await updates.send(zone.name, key, changes);
      return { status, json: { message } };
    });
    if (!done) return undefined;
    zone.updates += 1;
    const path = `/v2/zones/${zone.id}/recordsets?limit=max&type=A`;
    const { json } = await client.request('GET', path, { token: zone.owner.token });
    const listed = json.recordsets as readonly { name: string; id: string }[];
    return new Map(listed.map(({ name, id }) => [name, id]));
  }

  async #newKey(updates: HistoryUpdates, zone: ZoneModel): Promise<TsigSecret> {
    const { client, admin } = this.#settings;
    const { key, body } = updates.newKey();
    const resource = { scope: 'ZONE', resource_id: zone.id };
    const { status } = await client.request('POST', '/v2/tsigkeys', {
      token: admin,
      body: { ...body, ...resource },
    });
    if (status !== 201) this.#faults.push(`make key: ${status}`);
    return key;
  }

  /** The history of a zone has every update once, and its serials rise. */
  async #compareHistory({ id, name, owner, updates }: ZoneModel): Promise<void> {
    const { client } = this.#settings;
    const path = `/v2/zones/${id}/changes?limit=1000`;
    const { json } = await client.request('GET', path, { token: owner.token });
    const changes = json.changes as readonly { door: string; from_serial: number; to_serial: number }[];
    const made = changes.filter(({ door }) => door === 'update').length;
    if (made !== updates) this.#faults.push(`${name} has ${made} changes by updates, the model ${updates}`);
    // The newest first: each change starts from what the one before it left.
    const isOrdered = changes.every((one, place) => one.from_serial >= (changes[place + 1]?.to_serial ?? 0));
    if (!isOrdered) this.#faults.push(`${name}: the serials of its history do not rise`);
  }

  /** The names of recordsets, which the model does not keep. */
  async #namesOf({ id, owner }: ZoneModel, recordsets: readonly RecordsetModel[]) {
    const names = new Map<RecordsetModel, string>();
    for (const recordset of recordsets) {
      const path = `/v2/zones/${id}/recordsets/${recordset.id}`;
      const { json } = await this.#settings.client.request('GET', path, { token: owner.token });
      names.set(recordset, json.name as string);
    }
    return (recordset: RecordsetModel) => names.get(recordset)!;
  }

  async #deleteRecordset(zone: ZoneModel): Promise<void> {
    const recordset = this.#idleRecordset(zone);
    if (recordset === undefined) return;
    recordset.busy = true;
    this.#count('delete recordset');
    await this.#within(zone, async () => {
      const settle = [zone.recordsets.begin(-1), zone.records.begin(-recordset.records)];
      const path = `/v2/zones/${zone.id}/recordsets/${recordset.id}`;
      const { token } = this.#writer(zone, recordset);
      const answer = await this.#settings.client.request('DELETE', path, { token });
      for (const end of settle) end(answer.status === 202);
      if (answer.status !== 202) this.#faults.push(`delete recordset: ${answer.status}`);
      zone.held.delete(recordset.id);
    });
  }

  /** The lists of a project tell how many zones it sees, and how many recordsets are its own. */
  async #compareTotals(project: Project): Promise<void> {
    const seen = this.#zones.filter(({ owner, shares }) => owner === project || shares.has(project));
    const managed = 2 * seen.filter(({ owner }) => owner === project).length;
    const own = this.#zones.flatMap((zone) =>
      [...zone.held.values()].filter(({ creator }) => (creator ?? zone.owner) === project),
    );
    const expected = { zones: seen.length, recordsets: managed + own.length };
    for (const [list, count] of Object.entries(expected)) {
      const { json } = await this.#settings.client.request('GET', `/v2/${list}`, { token: project.token });
      const { total_count: total } = json.metadata as { total_count: number };
      if (total !== count) this.#faults.push(`${project.id} has ${total} ${list}, the model ${count}`);
    }
  }

  /** When all is quiet, the service has exactly what the model has. */
  async #compare(): Promise<void> {
    const { client, admin } = this.#settings;
    for (const project of this.#projects) {
      const { json } = await client.request('GET', `/v2/quotas/${project.id}/usage`, { token: admin });
      const { zones } = json.usage as { zones: number };
      if (zones !== project.zones.settled) {
        this.#faults.push(`${project.id} has ${zones} zones, the model ${project.zones.settled}`);
      }
      await this.#compareTotals(project);
    }
    for (const zone of this.#zones) {
      const path = `/v2/zones/${zone.id}/recordsets?limit=max&type=A`;
      const { json } = await client.request('GET', path, { token: zone.owner.token });
      const rows = (json.recordsets ?? []) as { records: string[] }[];
      const records = rows.reduce((sum, row) => sum + row.records.length, 0);
      if (rows.length !== zone.recordsets.settled || records !== zone.records.settled) {
        this.#faults.push(
          `${zone.name} has ${rows.length} recordsets with ${records} records, unlike the model`,
        );
      }
      if (!zone.isSecondary) await this.#compareHistory(zone);
    }
  }
}
