import { zoneFileParts } from '../../dns/zone-file/format.ts';
import type { ZoneFileRecordset } from '../../dns/zone-file/zone.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import { completedTask, getTask, keepTask, taskTarget, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, lockZone, requireStaying } from '../zones/visible-zone.ts';

/** Maximum number of attempts to read a zone without a lock. If it changes each time, it is locked. */
const MAX_ATTEMPTS = 5;
/** Approximate number of characters per chunk of a file. */
const CHARACTERS_OF_A_TEXT = 65_536;
/** The SOA and the NS at the apex. */
const MANAGED = 2;

function inFile({ name, type, ttl, records }: Recordset): ZoneFileRecordset {
  return { name, type, ttl, records };
}

/** The recordsets of a zone in compact form: each part is the JSON of one page. */
type Pages = readonly Buffer[];

/** Reads all recordsets of a zone, sorted in name-tree order and by type. */
async function readAll(zone: Zone, reads: RecordsetPages): Promise<Pages> {
  const pages: Buffer[] = [];
  for (let last: Recordset | undefined; ; ) {
    const page = await reads.inTreeOrder(zone, last);
    if (page.length === 0) return pages;
    pages.push(Buffer.from(JSON.stringify(page.map(inFile))));
    last = page.at(-1);
    await cooperativeYield();
  }
}

function recordsetsOf(page: Buffer): readonly ZoneFileRecordset[] {
  return JSON.parse(page.toString());
}

function* withoutSoa(pages: Pages): Generator<ZoneFileRecordset, void> {
  for (const page of pages) yield* recordsetsOf(page).filter(({ type }) => type !== 'SOA');
}

/** Yields the file in chunks, each built on demand. */
async function* textOf(zone: Zone, pages: Pages): AsyncGenerator<string, void> {
  // The apex is the first name.
  const soa = recordsetsOf(pages[0]!).find(({ type }) => type === 'SOA')?.records[0];
  if (soa === undefined) throw new Error(`The zone ${zone.id} has no SOA.`);
  let text = '';
  const file = { origin: zone.name, soa: { ttl: zone.ttl, rdata: soa }, recordsets: withoutSoa(pages) };
  for (const part of zoneFileParts(file)) {
    text += part;
    if (text.length < CHARACTERS_OF_A_TEXT) continue;
    yield text;
    text = '';
    await cooperativeYield();
  }
  yield text;
}

export interface ExportDeps extends UseCaseDeps {
  /** Limits of projects without their own. */
  readonly quotas: Limits;
}

const RULES = { list: 'find_zone_exports', get: 'get_zone_export', remove: 'delete_zone_export' } as const;

/** The use cases of exports. An export is rendered when it is fetched, from the current state of the zone. */
export function exportUseCases(deps: ExportDeps) {
  const { store, clock, access, unitOfWork, quotas } = deps;

  async function requireSize(zone: Zone): Promise<void> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    const size = zone.recordsets + MANAGED;
    requireCapacity('api_export_size', limits.api_export_size, size, size);
  }

  /** The file of one consistent state of the zone; undefined if the zone changed while it was read. */
  async function attempt(context: RequestContext, id: string): Promise<AsyncIterable<string> | undefined> {
    const before = requireStaying(await getZone(store, access, context, 'zone_export', id));
    await requireSize(before);
    const pages = await readAll(before, store.recordsets);
    const after = await getZone(store, access, context, 'zone_export', id);
    return after.version === before.version ? textOf(before, pages) : undefined;
  }

  /** Like `attempt`, but with the zone locked. */
  async function readLocked(context: RequestContext, id: string): Promise<AsyncIterable<string>> {
    const { zone, pages } = await unitOfWork.commit(context, async (tx) => {
      const zone = await lockZone(tx, access, context, 'zone_export', id);
      return { zone, pages: await readAll(zone, tx.recordsets) };
    });
    return textOf(zone, pages);
  }

  return {
    ...zoneTaskUseCases(deps, 'export', RULES),

    create(
      context: RequestContext,
      zoneId: string,
      options: CreateOptions<ZoneTask> = {},
    ): Promise<ZoneTask> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
        await requireSize(await getZone(store, access, context, 'create_zone_export', zoneId));
        return unitOfWork.commit(
          context,
          async (tx, emit) => {
            const zone = await lockZone(tx, access, context, 'create_zone_export', zoneId);
            const task = completedTask('export', zone, null, clock);
            keepTask(tx, task);
            emit({ type: 'export.created', target: taskTarget(task), after: task });
            return task;
          },
          options,
        );
      });
    },

    /** Streams the zone file: one consistent state of the zone, despite concurrent changes. */
    async content(context: RequestContext, id: string): Promise<AsyncIterable<string>> {
      const { zoneId } = await getTask(deps, 'export', context, 'zone_export', id);
      for (let made = 0; made < MAX_ATTEMPTS; made++) {
        const file = await attempt(context, zoneId);
        if (file !== undefined) return file;
      }
      return readLocked(context, zoneId);
    },
  };
}

export type ExportUseCases = ReturnType<typeof exportUseCases>;
