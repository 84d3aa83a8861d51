import type { ZoneCreator } from '../blacklists/name-admission.ts';
import type { Clock } from '../clock.ts';
import { type Once, onceFor } from '../idempotency/once.ts';
import type { Store } from '../store.ts';
import type { ZoneTask } from '../tasks/zone-task.ts';
import { completedTask, keepTask, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import type { CreatedZone, Filling } from '../zones/zone-creation.ts';
import type { ZoneUseCases } from '../zones/zones.ts';
import { requireZoneFile } from './zone-file.ts';

export interface Imported extends CreatedZone {
  readonly task: ZoneTask;
}

/** A file of more characters than these is large. */
const LARGE = 1_048_576;

/** One at a time, in the order of asking. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** The use cases of imports: a zone and all it holds out of one zone file, or nothing. */
export function importUseCases(deps: { store: Store; clock: Clock; zones: Pick<ZoneUseCases, 'create'> }) {
  const { store, clock, zones } = deps;
  const largeInTurn = inTurn();

  async function importNow(text: string, creator: ZoneCreator, once?: Once<Imported>): Promise<Imported> {
    const { draft, contents } = await requireZoneFile(text);
    let task: ZoneTask | undefined;
    const filling: Filling = {
      contents,
      async also(tx, zone) {
        task = completedTask('import', zone, `${zone.name} imported`, clock);
        await keepTask(tx, task);
      },
    };
    const withTask = (created: CreatedZone): Imported => ({ ...created, task: task! });
    return withTask(await zones.create(draft, creator, { filling, once: onceFor(once, withTask) }));
  }

  return {
    ...zoneTaskUseCases(store, 'import'),

    /**
     * Creates the zone of a zone file with every rule of a create, and records that it did, in one transaction. Large
     * files come one after the other: what is read of one takes many times the memory of its text.
     */
    create(text: string, creator: ZoneCreator, once?: Once<Imported>): Promise<Imported> {
      const work = () => importNow(text, creator, once);
      return text.length > LARGE ? largeInTurn(work) : work();
    },
  };
}

export type ImportUseCases = ReturnType<typeof importUseCases>;
