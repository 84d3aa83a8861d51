import { zoneFileParts } from '../../dns/zone-file/format.ts';
import type { ZoneFileRecordset } from '../../dns/zone-file/zone.ts';
import type { Act } from '../acts/act.ts';
import { type Limits, limitsOf, requireRoom } from '../quotas/quota.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import type { RecordsetPages } from '../recordsets/store.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import { completedTask, getTask, keepTask, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import type { UseCaseDeps } from '../use-case.ts';
import { yieldTurn } from '../yield.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';
import type { Zone } from '../zones/zone.ts';

/** How often an export retries because the zone changed while it was read. After that it locks the zone. */
const MOST_ATTEMPTS = 5;
/** The SOA and the NS at the apex. */
const MANAGED = 2;

function inFile({ name, type, ttl, records }: Recordset, zone: Zone): ZoneFileRecordset {
  return { name, type, ttl: ttl ?? zone.ttl, records };
}

/** All recordsets of a zone, in name-tree order and then by type. */
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

export interface ExportDeps extends UseCaseDeps {
  /** The limits of projects without limits of their own. */
  readonly quotas: Limits;
}

const RULES = { list: 'find_zone_exports', get: 'get_zone_export', remove: 'delete_zone_export' } as const;

/** The use cases of exports. An export is rendered when it is fetched, from the current state of the zone. */
export function exportUseCases(deps: ExportDeps) {
  const { store, clock, access, acts, quotas } = deps;

  async function requireSize(zone: Zone): Promise<void> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    const size = zone.recordsets + MANAGED;
    requireRoom('api_export_size', limits.api_export_size, size, size);
  }

  /** The file of one consistent state of the zone, or undefined if the zone changed while it was read. */
  async function attempt(act: Act, id: string): Promise<string | undefined> {
    const before = await getZone(store, access, act, 'zone_export', id);
    await requireSize(before);
    const all = await readAll(before, store.recordsets);
    const after = await getZone(store, access, act, 'zone_export', id);
    return after.version === before.version ? format(before, all) : undefined;
  }

  /** The same, with the zone locked. */
  async function readLocked(act: Act, id: string): Promise<string> {
    const { zone, all } = await acts.commit(act, async (tx) => {
      const zone = await lockZone(tx, access, act, 'zone_export', id);
      return { zone, all: await readAll(zone, tx.recordsets) };
    });
    return format(zone, all);
  }

  return {
    ...zoneTaskUseCases(deps, 'export', RULES),

    create(act: Act<ZoneTask>, zoneId: string): Promise<ZoneTask> {
      return acts.attempt(act, { kind: 'zone', id: zoneId }, async () => {
        await requireSize(await getZone(store, access, act, 'create_zone_export', zoneId));
        return acts.commit(act, async (tx) => {
          const zone = await lockZone(tx, access, act, 'create_zone_export', zoneId);
          const task = completedTask('export', zone, null, clock);
          keepTask(tx, task);
          return task;
        });
      });
    },

    /** The zone file: one consistent state of the zone, despite concurrent changes. */
    async content(act: Act, id: string): Promise<string> {
      const { zoneId } = await getTask(deps, 'export', act, 'zone_export', id);
      for (let made = 0; made < MOST_ATTEMPTS; made++) {
        const file = await attempt(act, zoneId);
        if (file !== undefined) return file;
      }
      return readLocked(act, zoneId);
    },
  };
}

export type ExportUseCases = ReturnType<typeof exportUseCases>;
