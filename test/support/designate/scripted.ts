/** A small Designate: lists in its exact shapes, as version 15 answers them to an administrator. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
/** Lists are in the order of creation. */
let made = 0;
const created = (): string =>
  new Date(Date.UTC(2024, 4, 6) + 1000 * made++).toISOString().replace('000Z', '000000');
const CHANGED = '2025-06-07T08:09:10.000000';

export type Entry = Record<string, unknown> & { id: string };

export interface DesignateZone extends Entry {
  name: string;
}

/** What it has. Tests change it as they like. */
export class DesignateData {
  pools: Entry[] = [
    {
      id: POOL,
      project_id: null,
      name: 'default',
      description: null,
      attributes: {},
      ns_records: [
        { priority: 1, hostname: 'ns1.example.org.' },
        { priority: 2, hostname: 'ns2.example.org.' },
      ],
      created_at: null,
      updated_at: CHANGED,
    },
  ];
  tsigkeys: Entry[] = [];
  tlds: Entry[] = [];
  blacklists: Entry[] = [];
  transfer_requests: Entry[] = [];
  zones: DesignateZone[] = [];
  readonly recordsets = new Map<string, Entry[]>();
  /** By the id of their zone. */
  readonly shares = new Map<string, Entry[]>();
  readonly quotas = new Map<string, Record<string, unknown>>();

  /** Adds a zone with its SOA and NS. */
  zone(name: string, own: Record<string, unknown> = {}): DesignateZone {
    const zone = {
      id: randomUUID(),
      pool_id: POOL,
      project_id: 'one',
      name,
      email: 'hostmaster@example.org',
      description: null,
      ttl: 3600,
      serial: 1714979289,
      status: 'ACTIVE',
      action: 'NONE',
      version: 3,
      attributes: {},
      type: 'PRIMARY',
      masters: [],
      created_at: created(),
      updated_at: CHANGED,
      transferred_at: null,
      ...own,
    };
    this.zones.push(zone);
    this.recordsets.set(zone.id, []);
    this.recordset(zone, name, 'SOA', [
      `ns1.example.org. hostmaster.example.org. ${zone.serial} 3587 600 86400 3600`,
    ]);
    this.recordset(zone, name, 'NS', ['ns2.example.org.', 'ns1.example.org.']);
    return zone;
  }

  recordset(
    zone: DesignateZone,
    name: string,
    type: string,
    records: readonly string[],
    own: Record<string, unknown> = {},
  ): Entry {
    const recordset = {
      id: randomUUID(),
      zone_id: zone.id,
      project_id: zone.project_id,
      name,
      zone_name: zone.name,
      type,
      records,
      description: null,
      ttl: null,
      status: 'ACTIVE',
      action: 'NONE',
      version: 2,
      created_at: created(),
      updated_at: CHANGED,
      ...own,
    };
    this.recordsets.get(zone.id)!.push(recordset);
    return recordset;
  }

  /** An entry of another list. */
  entry(own: Record<string, unknown>): Entry {
    return { id: randomUUID(), created_at: created(), updated_at: null, ...own };
  }
}

/** Answers instead of it; false leaves the question to it. */
export type Fault = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

export interface ScriptedDesignate {
  readonly url: string;
  readonly data: DesignateData;
  /** The paths that were asked for, with their queries. */
  readonly asked: string[];
  fault: Fault | undefined;
  stop(): Promise<void>;
}

const QUOTAS = {
  zones: 10,
  zone_recordsets: 500,
  zone_records: 500,
  recordset_records: 20,
  api_export_size: 1000,
};

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, type: string): void {
  answer(response, code, { code, type, message: type, request_id: `req-${randomUUID()}` });
}

/** The page of a list, with a next link whenever it is full, as Designate has it. */
function page(response: ServerResponse, url: URL, key: string, all: readonly Entry[]): void {
  const limit = Number(url.searchParams.get('limit') ?? 20);
  const marker = url.searchParams.get('marker');
  const at = marker === null ? -1 : all.findIndex(({ id }) => id === marker);
  if (marker !== null && at === -1) {
    refuse(response, 400, 'marker_not_found');
    return;
  }
  const items = all.slice(at + 1, at + 1 + limit);
  const next = new URL(url);
  next.searchParams.set('marker', items.at(-1)?.id ?? '');
  // Behind a proxy its links name a host that is not reached from everywhere.
  next.host = 'designate.invalid';
  const links = { self: url.href, ...(items.length === limit ? { next: next.href } : {}) };
  const metadata = { total_count: all.length };
  answer(response, 200, { [key]: items.map((item) => ({ ...item, links: {} })), links, metadata });
}

function listAt(data: DesignateData, path: string): readonly [string, readonly Entry[]] | undefined {
  const [, zoneId] = /^\/v2\/zones\/([^/]+)\/recordsets$/.exec(path) ?? [];
  if (zoneId !== undefined) {
    const recordsets = data.recordsets.get(zoneId);
    return recordsets && ['recordsets', recordsets];
  }
  const [, shared] = /^\/v2\/zones\/([^/]+)\/shares$/.exec(path) ?? [];
  if (shared !== undefined) return ['shared_zones', data.shares.get(shared) ?? []];
  const key = path === '/v2/zones/tasks/transfer_requests' ? 'transfer_requests' : path.slice('/v2/'.length);
  switch (key) {
    case 'pools':
    case 'tsigkeys':
    case 'tlds':
    case 'blacklists':
    case 'zones':
    case 'transfer_requests':
      return [key, data[key]];
    default:
      return undefined;
  }
}

function respond(data: DesignateData, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'http://designate.invalid');
  const [, project] = /^\/v2\/quotas\/(.+)$/.exec(url.pathname) ?? [];
  const list = listAt(data, url.pathname);
  if (request.headers['x-auth-all-projects'] !== 'true') refuse(response, 403, 'forbidden');
  else if (project !== undefined) answer(response, 200, { ...QUOTAS, ...data.quotas.get(project) });
  else if (list === undefined) refuse(response, 404, 'zone_not_found');
  else page(response, url, ...list);
}

/** Starts one on a free port. */
export async function startScriptedDesignate(): Promise<ScriptedDesignate> {
  const data = new DesignateData();
  const asked: string[] = [];
  const started: { fault: Fault | undefined } = { fault: undefined };
  const server = createServer((request, response) => {
    asked.push(request.url!);
    if (started.fault?.(request.url!, response, request) === true) return;
    respond(data, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(started, {
    url,
    data,
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
