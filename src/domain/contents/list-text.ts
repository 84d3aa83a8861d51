import { type RecordsetState, stateOf } from '../../model/changes/change-set.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { inChunks } from '../zone-files/zone-file-text.ts';
import type { ZoneState } from '../zone-files/zone-states.ts';

/** A recordset as a list of contents has it. */
type ListedContent = Pick<Recordset, 'name' | 'type'> & RecordsetState;

/** Undefined for recordsets that the service manages. */
export function listed(recordset: Recordset): ListedContent | undefined {
  const { name, type, managed } = recordset;
  return managed ? undefined : { name, type, ...stateOf(recordset) };
}

function* partsOf({ recordsets }: ZoneState<ListedContent>): Generator<string, void> {
  yield '{"recordsets":[';
  let separator = '';
  for (const page of recordsets.pages())
    for (const one of page) {
      yield separator + JSON.stringify(one);
      separator = ',\n';
    }
  yield ']}\n';
}

/** The contents as JSON in chunks, each built on demand. @param projectId the project that reads them */
export function listText(state: ZoneState<ListedContent>, projectId: string): AsyncGenerator<string, void> {
  return inChunks(partsOf(state), projectId);
}
