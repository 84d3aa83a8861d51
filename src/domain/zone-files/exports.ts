import { zoneFileParts } from '../../dns/zone-file/format.ts';
import type { ZoneFileRecordset } from '../../dns/zone-file/zone.ts';
import type { Scope } from '../access/scope.ts';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import { type Limits, limitsOf, requireRoom } from '../quotas/quota.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { RecordsetPages } from '../recordsets/store.ts';
import type { Store } from '../store.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import { completedTask, keepTask, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import { yieldTurn } from '../yield.ts';
import type { Zone } from '../zones/zone.ts';
import { lockZone } from '../zones/zone-change.ts';

/** How often a zone is read again because it changed while it was read. After that changes have to wait. */
const MOST_ATTEMPTS = 5;
/** The SOA and the NS at the apex. */
const MANAGED = 2;

function inFile({ name, type, ttl, records }: Recordset, zone: Zone): ZoneFileRecordset {
  return { name, type, ttl: ttl ?? zone.ttl, records };
}

/** All recordsets of a zone, in the order of the tree of names and then by type. */
async function readAll(zone: Zone, pages: RecordsetPages): Promise<readonly Recordset[]> {
  const all: Recordset[] = [];
  for (;;) {
    const page = await pages.inTreeOrder(zone.id, all.at(-1));
    if (page.length === 0) return all;
    all.push(...page);
    await yieldTurn();
  }
}

async function format(zone: Zone, all: readonly Recordset[]): Promise<string> {
  const soa = all.find(({ type }) => type === 'SOA')?.records[0];
  if (soa === undefined) throw new Error(`The zone ${zone.id} has no SOA.`);
  const recordsets = all.filter(({ type }) => type !== 'SOA').map((one) => inFile(one, zone));
  const parts: string[] = [];
  for (const part of zoneFileParts({ origin: zone.name, soa: { ttl: zone.ttl, rdata: soa }, recordsets })) {
    parts.push(part);
    if (parts.length % 1000 === 0) await yieldTurn();
  }
  return parts.join('');
}

/** The use cases of exports. An export is made when it is fetched, of the zone as it is then. */
export function exportUseCases(deps: { store: Store; clock: Clock; quotas: Limits }) {
  const { store, clock, quotas } = deps;
  const tasks = zoneTaskUseCases(store, 'export');

  async function requireZone(id: string, scope: Scope): Promise<Zone> {
    const zone = await store.zones.find(id, scope);
    if (zone === undefined) throw new DomainError('zone_not_found');
    return zone;
  }

  async function requireSize(zone: Zone): Promise<void> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    const size = zone.recordsets + MANAGED;
    requireRoom('api_export_size', limits.api_export_size, size, size);
  }

  /** The file of one state of the zone, or undefined when the zone changed while it was read. */
  async function attempt(id: string, scope: Scope): Promise<string | undefined> {
    const before = await requireZone(id, scope);
    await requireSize(before);
    const all = await readAll(before, store.recordsets);
    const after = await requireZone(id, scope);
    return after.version === before.version ? format(before, all) : undefined;
  }

  /** The same while nobody can change the zone. */
  async function readLocked(id: string, scope: Scope): Promise<string> {
    const { zone, all } = await store.transaction(async (tx) => {
      const zone = await lockZone(tx, id, scope);
      return { zone, all: await readAll(zone, tx.recordsets) };
    });
    return format(zone, all);
  }

  return {
    ...tasks,

    async create(zoneId: string, scope: Scope, once?: Once<ZoneTask>): Promise<ZoneTask> {
      await requireSize(await requireZone(zoneId, scope));
      return createIn(store, once, async (tx) => {
        const task = completedTask('export', await lockZone(tx, zoneId, scope), null, clock);
        await keepTask(tx, task);
        return task;
      });
    },

    /** The zone file: one state of the zone, whatever changes meanwhile. */
    async content(id: string, scope: Scope): Promise<string> {
      const { zoneId } = await tasks.get(id, scope);
      for (let made = 0; made < MOST_ATTEMPTS; made++) {
        const file = await attempt(zoneId, scope);
        if (file !== undefined) return file;
      }
      return readLocked(zoneId, scope);
    },
  };
}

export type ExportUseCases = ReturnType<typeof exportUseCases>;
