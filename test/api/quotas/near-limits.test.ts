import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, type ShownEvent } from '../../support/events.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const MAX_BYTES = 2000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: String(MAX_BYTES) });
});
afterAll(() => service.remove());

const ask = async (token: string, method: string, path: string, body?: unknown) => {
  const answer = await service.request(method, path, { token, body });
  expect([method, path, answer.status < 500]).toEqual([method, path, true]);
  return answer;
};
const setLimits = (project: string, limits: object) =>
  ask(service.admin, 'PATCH', `/v2/quotas/${project}`, limits);

type Told = readonly [type: string, quota: string, about: string, usage: number, limit: number];

/** What a project was told of its limits, the oldest first. */
async function toldTo(token: string, query = ''): Promise<readonly Told[]> {
  const events = await eventsOf(service, `&type=quota.*${query}`, token);
  return events.map(toldBy).reverse();
}

function toldBy({ type, details, target }: ShownEvent): Told {
  const { quota, usage, limit } = details as { quota: string; usage: number; limit: number };
  return [type, quota, target.kind === 'project' ? 'project' : target.name!, usage, limit];
}

let projects = 0;
/** A project of its own. */
async function newProject() {
  const project = `near-${projects++}-${randomUUID().slice(0, 8)}`;
  const token = await service.token(project, 'member');
  const makeZone = async (name: string) =>
    ask(token, 'POST', '/v2/zones', { name: `${name}.${project}.`, email: 'a@example.org' });
  const makeRecordset = async (zone: { id: string; name: string }, label: string, records: number) =>
    ask(token, 'POST', `/v2/zones/${zone.id}/recordsets`, {
      name: `${label}.${zone.name}`,
      type: 'A',
      records: addresses(records),
    });
  return { project, token, makeZone, makeRecordset };
}

function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `192.0.2.${at + 1}`);
}

describe('the limit of zones', () => {
  it('is told of at 80 % and at 100 %, once, and again after the usage fell', async () => {
    const { project, token, makeZone } = await newProject();
    await setLimits(project, { zones: 10 });
    const ids: string[] = [];
    let made = 0;
    const grow = async (count: number) => {
      for (let added = 0; added < count; added++) ids.push((await makeZone(`z${made++}`)).json.id);
    };
    const shrink = async (count: number) => {
      for (let left = count; left > 0; left--) await ask(token, 'DELETE', `/v2/zones/${ids.shift()}`);
    };
    await grow(7);
    expect(await toldTo(token)).toEqual([]);
    await grow(1);
    const near: Told = ['quota.near', 'zones', 'project', 8, 10];
    const reached: Told = ['quota.reached', 'zones', 'project', 10, 10];
    expect(await toldTo(token)).toEqual([near]);
    await grow(2);
    expect(await toldTo(token)).toEqual([near, reached]);
    await shrink(1);
    await grow(1);
    expect(await toldTo(token)).toEqual([near, reached]);
    await shrink(2);
    await grow(2);
    expect(await toldTo(token)).toEqual([near, reached, reached]);
    await shrink(3);
    await grow(1);
    expect(await toldTo(token)).toEqual([near, reached, reached, near]);
    const [event] = await eventsOf(service, '&type=quota.reached', token);
    expect(event).toMatchObject({ outcome: 'done', actor: { project_id: project } });
    expect(event!.details).toEqual({ quota: 'zones', limit: 10, usage: 10, percentage: 100 });
  });

  it('is told of when it is lowered, and when a zone is taken over', async () => {
    const { project, token, makeZone } = await newProject();
    const first = (await makeZone('first')).json;
    await makeZone('second');
    await setLimits(project, { zones: 2 });
    const both = (limit: number, usage: number): Told[] => [
      ['quota.near', 'zones', 'project', usage, limit],
      ['quota.reached', 'zones', 'project', usage, limit],
    ];
    expect(await toldTo(token)).toEqual(both(2, 2));
    await setLimits(project, { zones: 20 });
    expect(await toldTo(token)).toEqual(both(2, 2));
    const other = await newProject();
    await setLimits(other.project, { zones: 1 });
    const offer = (await ask(token, 'POST', `/v2/zones/${first.id}/tasks/transfer_requests`, {})).json;
    const taken = { key: offer.key, zone_transfer_request_id: offer.id };
    expect((await ask(other.token, 'POST', '/v2/zones/tasks/transfer_accepts', taken)).status).toBe(201);
    expect(await toldTo(other.token)).toEqual(both(1, 1));
    await ask(service.admin, 'DELETE', `/v2/quotas/${other.project}`);
    expect(await toldTo(other.token)).toEqual(both(1, 1));
  });
});

describe('the limits of the size of a zone', () => {
  it('are told of by an import and a recordset, with the zone', async () => {
    const { project, token, makeZone, makeRecordset } = await newProject();
    await setLimits(project, { zone_recordsets: 5, zone_records: 100 });
    const zone = (await makeZone('one')).json;
    for (const label of ['a', 'b', 'c']) await makeRecordset(zone, label, 1);
    expect(await toldTo(token)).toEqual([]);
    await makeRecordset(zone, 'd', 1);
    expect(await toldTo(token)).toEqual([['quota.near', 'zone_recordsets', zone.name, 4, 5]]);
    const origin = `filed.${project}.`;
    const names = ['a', 'b', 'c', 'd', 'e'].map((label) => `${label} A 192.0.2.1\n`).join('');
    const text = `$ORIGIN ${origin}\n$TTL 60\n@ SOA ns a 1 60 60 60 60\n${names}`;
    await service.request('POST', '/v2/zones/tasks/imports', {
      token,
      body: text,
      headers: { 'content-type': 'text/dns' },
    });
    expect((await toldTo(token)).slice(1)).toEqual([
      ['quota.near', 'zone_recordsets', origin, 5, 5],
      ['quota.reached', 'zone_recordsets', origin, 5, 5],
    ]);
  });

  it('are told of in bytes, whatever the limits of the project are', async () => {
    const { token, project, makeZone } = await newProject();
    await setLimits(project, { zone_records: -1, zone_recordsets: -1, recordset_records: -1 });
    const zone = (await makeZone('heavy')).json;
    const { json } = await ask(token, 'POST', `/v2/zones/${zone.id}/recordsets`, {
      name: `t.${zone.name}`,
      type: 'TXT',
      records: Array.from({ length: 7 }, (_, at) => `"${String(at).repeat(240)}"`),
    });
    const told = await toldTo(token);
    expect(told).toMatchObject([['quota.near', 'max_zone_size', zone.name, expect.any(Number), MAX_BYTES]]);
    const path = `/v2/zones/${zone.id}/recordsets/${json.id}`;
    await ask(token, 'PUT', path, { records: ['"x"'] });
    await ask(token, 'PUT', path, { records: json.records });
    expect(await toldTo(token)).toEqual([...told, ...told]);
  });

  it('are told of the fullest zone where they are lowered', async () => {
    const { project, token, makeZone, makeRecordset } = await newProject();
    const [full, other] = [(await makeZone('full')).json, (await makeZone('other')).json];
    await makeRecordset(full, 'a', 8);
    await makeRecordset(other, 'a', 7);
    await setLimits(project, { zone_records: 9 });
    expect(await toldTo(token)).toEqual([['quota.near', 'zone_records', full.name, 8, 9]]);
    const { before, after } = (await eventsOf(service, '&type=quotas.changed', token))[0]!;
    expect([before, after]).toEqual([{ zone_records: 500 }, { zone_records: 9 }]);
    await setLimits(project, { zone_records: 10 });
    await makeRecordset(full, 'b', 1);
    expect((await toldTo(token)).slice(1)).toEqual([['quota.near', 'zone_records', full.name, 9, 10]]);
  });
});

/** What a project ought to be told, in plain terms: thresholds in percent, and what it was told by its limit. */
class Model {
  readonly told: Told[] = [];
  readonly limits: Record<string, number> = { zones: 4, zone_recordsets: 4, zone_records: 8 };
  readonly zones = new Map<string, { readonly id: string; readonly recordsets: Map<string, number> }>();
  readonly #held = new Map<string, number>();

  sizeOf(name: string): Record<string, number> {
    const records = [...this.zones.get(name)!.recordsets.values()];
    return { zone_recordsets: records.length, zone_records: records.reduce((sum, one) => sum + one, 0) };
  }

  /** Looks at one usage after a change. */
  see(quota: string, about: string, usage: number, rises: boolean): void {
    const limit = this.limits[quota]!;
    const share = limit === 0 ? 1 : usage / limit;
    for (const [type, up, down] of [
      ['quota.near', 0.8, 0.75],
      ['quota.reached', 1, 0.9],
    ] as const) {
      const key = `${type} ${quota} ${about}`;
      if (this.#held.get(key) !== limit || share < down) this.#held.delete(key);
      if (!rises || share < up || this.#held.has(key)) continue;
      this.#held.set(key, limit);
      this.told.push([type, quota, about, usage, limit]);
    }
  }

  seeZone(name: string, before: Record<string, number>, byLimit?: (quota: string) => boolean): void {
    const now = this.sizeOf(name);
    for (const quota of ['zone_recordsets', 'zone_records'])
      this.see(quota, name, now[quota]!, byLimit?.(quota) ?? now[quota]! > before[quota]!);
  }

  /** The zones with the most recordsets and the most records. */
  fullest(): readonly string[] {
    const most = (quota: string) =>
      [...this.zones.keys()].sort((one, other) => {
        const more = this.sizeOf(other)[quota]! - this.sizeOf(one)[quota]!;
        return more !== 0 ? more : this.zones.get(one)!.id < this.zones.get(other)!.id ? -1 : 1;
      })[0];
    const found = [most('zone_recordsets'), most('zone_records')];
    return [...new Set(found)].filter((one) => one !== undefined);
  }
}

/** Numbers that are the same for the same seed (a linear congruential generator). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Random changes of one project, each told to its model. */
class Changes {
  readonly model = new Model();
  readonly #random: (below: number) => number;
  readonly #of: Awaited<ReturnType<typeof newProject>>;

  constructor(of: Awaited<ReturnType<typeof newProject>>, seed: number) {
    this.#of = of;
    this.#random = randomFrom(seed);
  }

  async step(): Promise<void> {
    const kind = this.#random(10);
    if (kind < 2) return this.#createZone();
    if (kind === 2) return this.#changeLimit();
    const name = [...this.model.zones.keys()][this.#random(this.model.zones.size)];
    if (name === undefined) return;
    if (kind === 3) return this.#deleteZone(name);
    const before = this.model.sizeOf(name);
    const isChanged = kind < 8 ? await this.#addRecordset(name) : await this.#changeRecordset(name);
    if (isChanged) this.model.seeZone(name, before);
  }

  async #createZone(): Promise<void> {
    const { status, json } = await this.#of.makeZone(`z${this.#random(1000)}`);
    if (status !== 202) return;
    this.model.zones.set(json.name, { id: json.id, recordsets: new Map() });
    this.model.see('zones', 'project', this.model.zones.size, true);
  }

  async #deleteZone(name: string): Promise<void> {
    await ask(this.#of.token, 'DELETE', `/v2/zones/${this.model.zones.get(name)!.id}`);
    this.model.zones.delete(name);
    this.model.see('zones', 'project', this.model.zones.size, false);
  }

  async #addRecordset(name: string): Promise<boolean> {
    const { id, recordsets } = this.model.zones.get(name)!;
    const records = 1 + this.#random(5);
    const { status, json } = await this.#of.makeRecordset({ id, name }, `r${this.#random(50)}`, records);
    if (status < 300) recordsets.set(json.id, records);
    return status < 300;
  }

  async #changeRecordset(name: string): Promise<boolean> {
    const { id, recordsets } = this.model.zones.get(name)!;
    const own = [...recordsets.keys()][this.#random(recordsets.size)];
    if (own === undefined) return false;
    const records = this.#random(6);
    const path = `/v2/zones/${id}/recordsets/${own}`;
    const { token } = this.#of;
    if (records === 0) {
      await ask(token, 'DELETE', path);
      return recordsets.delete(own);
    }
    const { status } = await ask(token, 'PUT', path, { records: addresses(records) });
    if (status < 300) recordsets.set(own, records);
    return status < 300;
  }

  async #changeLimit(): Promise<void> {
    const { model } = this;
    const quota = ['zones', 'zone_recordsets', 'zone_records'][this.#random(3)]!;
    const limit = 1 + this.#random(8);
    const isLower = limit < model.limits[quota]!;
    await setLimits(this.#of.project, { [quota]: limit });
    model.limits[quota] = limit;
    const rises = (one: string) => one === quota && isLower;
    model.see('zones', 'project', model.zones.size, rises('zones'));
    for (const name of model.fullest()) model.seeZone(name, {}, rises);
  }
}

describe('any sequence of changes', () => {
  it.each([1, 2, 3, 4])('tells what a model of it says (%i)', async (seed) => {
    const own = await newProject();
    const changes = new Changes(own, seed);
    await setLimits(own.project, changes.model.limits);
    for (let step = 0; step < 80; step++) await changes.step();
    const expected = changes.model.told;
    expect(new Set(expected.map(([type, quota]) => `${type} ${quota}`)).size).toBeGreaterThan(3);
    expect(sortedWithin(await toldTo(own.token))).toEqual(sortedWithin(expected));
  });
});

/** What one change tells has no order among itself. */
function sortedWithin(told: readonly Told[]): readonly string[] {
  return told.map((one) => one.join(' ')).sort();
}
