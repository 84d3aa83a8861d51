import type { Act } from '../acts/act.ts';
import { onceFor } from '../idempotency/once.ts';
import { newRecordset } from '../recordsets/recordsets.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import { completedTask, keepTask, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { Zone } from '../zones/zone.ts';
import type { ContentChange, Contents } from '../zones/zone-change.ts';
import type { CreatedZone, Filling, ZoneCreation } from '../zones/zone-creation.ts';
import { requireOutsideChildZones, type ZoneContents } from './zone-contents.ts';
import { requireZoneFile } from './zone-file.ts';

export interface Imported extends CreatedZone {
  readonly task: ZoneTask;
}

export interface ImportDeps extends UseCaseDeps {
  readonly createZone: ZoneCreation;
}

/** A file of more characters than these is large. */
const LARGE = 1_048_576;

const RULES = { list: 'find_zone_imports', get: 'get_zone_import', remove: 'delete_zone_import' } as const;

/** One at a time, first come, first served. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** The use cases of imports: a zone and its contents from one zone file, or nothing. */
export function importUseCases(deps: ImportDeps) {
  const { clock, access, createZone } = deps;
  const largeInTurn = inTurn();

  function contentsFor(zone: Zone, { recordsets, records, bytes, largest }: ZoneContents): Contents {
    function* parts(): Generator<ContentChange> {
      for (const draft of recordsets) yield { kind: 'added', recordset: newRecordset(draft, zone, clock) };
    }
    const growth = { recordsets: recordsets.length, records, bytes };
    return { growth, largest: { now: largest, before: 0 }, parts: parts() };
  }

  async function importNow(act: Act<Imported>, text: string): Promise<Imported> {
    const { draft, contents } = await requireZoneFile(text);
    let task: ZoneTask | undefined;
    const filling: Filling = {
      serial: contents.serial,
      contents: (zone) => contentsFor(zone, contents),
      require: (tx, zone) => requireOutsideChildZones(tx, zone, contents),
      also(tx, zone) {
        task = completedTask('import', zone, `${zone.name} imported`, clock);
        keepTask(tx, task);
      },
    };
    const withTask = (created: CreatedZone): Imported => ({ ...created, task: task! });
    return withTask(await createZone({ ...act, once: onceFor(act.once, withTask) }, draft, filling));
  }

  return {
    ...zoneTaskUseCases(deps, 'import', RULES),

    /**
     * Creates the zone of a zone file by every rule of a create, and stores the task, in one transaction.
     * Large files are parsed one at a time: a parsed file takes many times the memory of its text.
     */
    async create(act: Act<Imported>, text: string): Promise<Imported> {
      access.require(act, 'create_zone_import', { projectId: act.projectId });
      const work = () => importNow(act, text);
      return text.length > LARGE ? largeInTurn(work) : work();
    },
  };
}

export type ImportUseCases = ReturnType<typeof importUseCases>;
