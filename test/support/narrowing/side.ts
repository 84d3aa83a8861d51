/** One of two alike copies of the state: projects of its own, whose zones have a label of their own. */
import { randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';
import type { Answer, TestService } from '../service.ts';
import {
  ALL_ZONES,
  drawPlace,
  fullName,
  LABEL,
  type Marks,
  NEW_ZONES,
  type Place,
  type PlannedZone,
  ZONES,
  zoneOf,
} from './alphabet.ts';
import type { DrawnRequest } from './requests.ts';
import { type DrawnScope, drawShareScope } from './scopes.ts';

const PLACEHOLDER = /\{(\w+):([^{}]*)\}/g;
const RECORDSETS = 7;

type Item = Readonly<Record<string, string>>;

/** Where placeholders with a number find their ids: path, and key of the list. */
const LISTS: Readonly<Record<string, readonly [string, string]>> = {
  deleted: ['/v2/deleted_zones', 'deleted_zones'],
  token: ['/v2/tokens?sort_key=created_at', 'tokens'],
  event: ['/v2/events?limit=1000', 'events'],
  export: ['/v2/zones/tasks/exports?sort_key=created_at', 'exports'],
  import: ['/v2/zones/tasks/imports?sort_key=created_at', 'imports'],
};

interface PlannedState {
  readonly zones: readonly PlannedZone[];
  /** Of the share; undefined if it lets everything through. */
  readonly shareScope: DrawnScope | undefined;
  readonly recordsets: readonly (Place & { readonly record: string; readonly isProtected: boolean })[];
}

/** What both copies start with. */
export function planState(random: Random, marks: Marks): PlannedState {
  const recordsets = new Map<string, PlannedState['recordsets'][number]>();
  for (const zone of ZONES)
    for (let made = 0; made < RECORDSETS; made += 1) {
      const place = drawPlace(random, [zone]);
      const key = `${zone.key} ${place.name}`;
      // A CNAME stands alone.
      const isTaken = place.type === 'CNAME' ? made > 0 : recordsets.has(`${key} CNAME`);
      if (isTaken || recordsets.has(`${key} ${place.type}`) || place.name === '@') continue;
      recordsets.set(`${key} ${place.type}`, {
        ...place,
        record: marks.recordAt(place),
        isProtected: random.chance(0.1),
      });
    }
  return { zones: ZONES, shareScope: drawShareScope(random), recordsets: [...recordsets.values()] };
}

export class Side {
  readonly label: string;
  readonly member: string;
  readonly #other: string;
  readonly #service: TestService;
  readonly #zones = new Map<string, string>();
  /** Ids by placeholder, until something changes. */
  readonly #known = new Map<string, string>();
  readonly #places: (readonly [string, PlannedZone, Place])[] = [];

  private constructor(service: TestService, label: string, member: string, other: string) {
    this.#service = service;
    this.label = label;
    this.member = member;
    this.#other = other;
  }

  static async create(service: TestService, label: string, state: PlannedState): Promise<Side> {
    const member = await service.token(label, 'member');
    const other = await service.token(`other-${label}`, 'member');
    const side = new Side(service, label, member, other);
    for (const zone of state.zones) await side.#makeZone(zone, state);
    return side;
  }

  async #makeZone(zone: PlannedZone, { recordsets, shareScope: scope }: PlannedState): Promise<void> {
    const token = this.#ownerOf(zone);
    const send = async (method: string, path: string, body: object) => {
      const { status, text, json } = await this.ask(token, { method, path, body });
      if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
      return json;
    };
    const { id } = await send('POST', '/v2/zones', { name: zone.name, email: 'a@example.org' });
    this.#zones.set(zone.key, id);
    const own = recordsets.filter((one) => one.zone === zone);
    const changes = own.map(({ name, type, record }) => {
      return { action: 'create', name: fullName(zone, name), type, records: [record] };
    });
    const { changes: made } = await send('POST', `/v2/zones/${id}/changes`, { changes });
    for (const one of own.filter(({ isProtected }) => isProtected)) {
      const at = fullName(zone, one.name).replace(LABEL, this.label);
      const { recordset_id: protectedId } = made.find(
        ({ name, type }: Item) => name === at && type === one.type,
      );
      await send('PUT', `/v2/zones/${id}/recordsets/${protectedId}`, { protected: true });
    }
    if (zone.isShared)
      await send('POST', `/v2/zones/${id}/shares`, {
        target_project_id: this.label,
        ...(scope && { scope }),
      });
  }

  /** Sends a request with the names and ids of this side. */
  async ask(token: string, request: DrawnRequest): Promise<Answer> {
    const { method, path, body, headers } = await this.resolved(request);
    return this.#service.request(method, path, {
      token,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
  }

  async resolved(request: DrawnRequest): Promise<DrawnRequest> {
    return JSON.parse(await this.#resolve(JSON.stringify(request)));
  }

  /** Ids are looked up anew. */
  forget(): void {
    this.#known.clear();
    this.#places.length = 0;
    for (const { key } of NEW_ZONES) this.#zones.delete(key);
  }

  /** The ids, in a text, of zones and of recordsets that were looked up since the last change, and their places. */
  idsIn(text: string): readonly (readonly [string, PlannedZone, Place | undefined])[] {
    const zones = [...this.#zones].map(([key, id]) => [id, zoneOf(key), undefined] as const);
    return [...zones, ...this.#places].filter(([id]) => text.includes(id));
  }

  /** All recordsets, without what differs between two sides or between their credentials. */
  async state(): Promise<readonly string[]> {
    const states: string[] = [];
    for (const zone of ALL_ZONES) {
      // The SOA has the serial.
      for (const { name, type, records, ttl, description } of await this.#recordsetsIn(zone))
        if (type !== 'SOA') states.push(JSON.stringify({ name, type, records, ttl, description }));
    }
    return states.map((one) => one.replaceAll(this.label, LABEL)).sort();
  }

  async #resolve(text: string): Promise<string> {
    for (const [whole, kind, rest] of text.matchAll(PLACEHOLDER))
      if (!this.#known.has(whole)) this.#known.set(whole, (await this.#idOf(kind!, rest!)) ?? randomUUID());
    return text.replace(PLACEHOLDER, (whole) => this.#known.get(whole)!).replaceAll(LABEL, this.label);
  }

  async #list(path: string, key: string, token = this.member): Promise<readonly Item[]> {
    const { json } = await this.#service.request('GET', path, { token });
    return json?.[key] ?? [];
  }

  /** The id that a placeholder stands for; undefined if there is nothing of the kind. */
  async #idOf(kind: string, rest: string): Promise<string | undefined> {
    const [first = '', second = '', type = ''] = rest.split(':');
    if (kind === 'zone') return this.#zones.get(first) ?? this.#findNew(zoneOf(first));
    if (kind === 'recordset') return this.#recordsetAt({ zone: zoneOf(first), name: second, type });
    if (kind === 'change') {
      const changes = await this.#list(`/v2/zones/${await this.#idOf('zone', first)}/changes`, 'changes');
      return changes[Number(second)]?.id;
    }
    const [path, key] = LISTS[kind]!;
    return (await this.#list(path, key))[Number(first)]?.id;
  }

  async #recordsetAt({ zone, name, type }: Place): Promise<string | undefined> {
    await this.#lookIn(zone);
    const isThere = (place: Place) => place.zone === zone && place.name === name && place.type === type;
    return this.#places.find(([, , place]) => isThere(place))?.[0];
  }

  async #findNew({ key, name }: PlannedZone): Promise<string | undefined> {
    const [found] = await this.#list(`/v2/zones?name=${name.replace(LABEL, this.label)}`, 'zones');
    if (found !== undefined) this.#zones.set(key, found.id!);
    return found?.id;
  }

  async #lookIn(zone: PlannedZone): Promise<void> {
    if (this.#places.some(([, one]) => one === zone)) return;
    const apex = zone.name.replace(LABEL, this.label);
    for (const { id, name, type } of await this.#recordsetsIn(zone))
      this.#places.push([id!, zone, { zone, name: name!.slice(0, -apex.length - 1) || '@', type: type! }]);
  }

  /** All of them, as the owner of the zone sees them; none if there is no such zone. */
  async #recordsetsIn(zone: PlannedZone): Promise<readonly Item[]> {
    const id = await this.#idOf('zone', zone.key);
    if (id === undefined) return [];
    return this.#list(`/v2/zones/${id}/recordsets?limit=1000`, 'recordsets', this.#ownerOf(zone));
  }

  #ownerOf({ owner }: PlannedZone): string {
    return owner === 'own' ? this.member : this.#other;
  }
}
