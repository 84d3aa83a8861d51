import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import type { GuardrailOutcome } from '../../model/guardrails/guardrail.ts';
import type { ListedRecordset, Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** A recordset as a write left it, or as it was before it was deleted, and what the guardrails say of it. */
export interface WrittenRecordset extends Pick<GuardrailOutcome, 'warnings'> {
  readonly recordset: ListedRecordset;
  readonly changeId: string;
}

/** The recordset while its change is being published. */
export function pending(
  recordset: Recordset,
  zone: Zone,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
): ListedRecordset {
  return { ...recordset, zoneName: zone.name, status: 'PENDING', action };
}

export function written(
  recordset: ListedRecordset,
  { changeId }: Pick<AppliedUpdate, 'changeId'>,
  { warnings }: Pick<GuardrailOutcome, 'warnings'>,
): WrittenRecordset {
  return { recordset, changeId, warnings };
}
