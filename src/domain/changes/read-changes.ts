/** Parses the records of a set of changes, before anything is locked. */
import type { RequestedChange } from '../../model/changes/change-set.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { isManaged } from '../recordsets/own-recordset.ts';
import { parsedRecords, type ReadRecords, type Records, recordsInTurns } from '../recordsets/records.ts';
import { type ChangeFault, pathOf } from './faults.ts';

const MANAGED = 'The service manages the SOA and the NS records at the apex. Remove this change.';

/** A change with its records parsed. */
export interface ReadChange extends RequestedChange {
  /** Where it stands in the request. */
  readonly position: number;
  /** Undefined if it has none, or if they have faults. */
  readonly read: Records | undefined;
  readonly faults: readonly ChangeFault[];
}

/** How a change's records are read. */
interface Reading {
  readonly zoneName: string;
  readonly turns: TimeSlices;
}

/** Up to so many records are read in one turn. */
const FEW = 16;

function readAs(change: RequestedChange, position: number, { read, faults: found }: ReadRecords): ReadChange {
  const faults = found.map(({ path, message }): ChangeFault => {
    return { kind: 'invalid_object', message, path: pathOf(position, ...path) };
  });
  return { ...change, position, read: faults.length === 0 ? read : undefined, faults };
}

function readChange(
  change: RequestedChange,
  position: number,
  { zoneName, turns }: Reading,
): ReadChange | Promise<ReadChange> {
  const { name, type, records } = change;
  if (type !== undefined && isManaged({ name, type }, zoneName)) {
    const fault = { kind: 'managed_recordset', message: MANAGED, path: pathOf(position) } as const;
    return { ...change, position, read: undefined, faults: [fault] };
  }
  if (type === undefined || records === undefined)
    return { ...change, position, read: undefined, faults: [] };
  if (records.length <= FEW) return readAs(change, position, parsedRecords({ name, type }, records));
  return recordsInTurns({ name, type }, records, turns).then((read) => readAs(change, position, read));
}

export async function readChanges(
  changes: readonly RequestedChange[],
  zoneName: string,
  turns: TimeSlices,
): Promise<readonly ReadChange[]> {
  const found: ReadChange[] = [];
  for (const change of changes) {
    const read = readChange(change, found.length, { zoneName, turns });
    found.push(read instanceof Promise ? await read : read);
    if (turns.isOver) await turns.next();
  }
  return found;
}
