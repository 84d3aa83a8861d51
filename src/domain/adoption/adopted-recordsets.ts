/** The recordsets of an adopted zone, as parts of its change. */

import type { ContentChange } from '../../model/changes/contents.ts';
import type { Clock } from '../../model/clock.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { newRecordset } from '../recordsets/new-recordset.ts';
import type { WantedRecordset } from './source-zone-state.ts';
import type { RecordsetDifference } from './zone-differences.ts';

/** A recordset with its id and times from the source. */
export function recordsetOf(wanted: WantedRecordset, zone: Zone, clock: Clock): Recordset {
  const { id, projectId, version, createdAt, updatedAt } = wanted;
  return { ...newRecordset(wanted, zone, clock, projectId), id, version, createdAt, updatedAt };
}

/** The changes that make a recordset match the source. */
export function partsOf(difference: RecordsetDifference, zone: Zone, clock: Clock): readonly ContentChange[] {
  switch (difference.kind) {
    case 'missing':
      return [{ kind: 'added', recordset: recordsetOf(difference.wanted, zone, clock) }];
    case 'only here':
      return [{ kind: 'removed', recordset: difference.present }];
    case 'changed': {
      const { wanted, present } = difference;
      const recordset = recordsetOf(wanted, zone, clock);
      // An update changes neither the project nor the time of creation.
      const isSame = wanted.id === present.id && wanted.projectId === present.projectId;
      return isSame && wanted.createdAt === present.createdAt
        ? [{ kind: 'replaced', before: present, recordset }]
        : [
            { kind: 'removed', recordset: present },
            { kind: 'added', recordset },
          ];
    }
  }
}
