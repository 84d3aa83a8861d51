/** The guardrail `in_use`, and who points at a name after a change. */
import { type OwnerName, subtreeKey } from '../../dns/names.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import type { Pointer } from '../../model/guardrails/store.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { CheckScope } from './check-scope.ts';

const MAX_NAMED = 3;
/** One more than are named. */
const ENOUGH = MAX_NAMED + 1;

/** A recordset in a message. */
export function naming({ name, type }: Pick<Pointer, 'name' | 'type'>): string {
  return `the ${type} at "${name}"`;
}

/**
 * Lists recordsets in a message, in the same order whatever the order of the changes; those that the caller may not see
 * have no name.
 */
export function listOf(pointers: readonly Pointer[], { isByShare, zone }: CheckScope): string {
  const seen = isByShare ? pointers.filter(({ zoneId }) => zoneId === zone.id) : pointers;
  const named = seen.map(naming).sort().slice(0, MAX_NAMED);
  const rest =
    seen.length > MAX_NAMED
      ? ['more']
      : seen.length < pointers.length
        ? ['records in other zones of its owner']
        : [];
  return [...named, ...rest].join(', ').replace(/, ([^,]*)$/, ' and $1');
}

/**
 * The recordsets of the project that point at a name after a change, up to a few.
 * @param type only those of this type
 */
export async function pointersAfter(
  { reads, zone, after }: CheckScope,
  name: OwnerName,
  type?: 'MX',
): Promise<readonly Pointer[]> {
  const gone = after.noLongerPointingAt(name);
  const stored = await reads.pointersTo(zone.projectId, name, ENOUGH + gone.size, type);
  const added = after
    .nowPointingAt(name)
    .filter((recordset) => type === undefined || recordset.type === type)
    .map(({ id, ...recordset }): Pointer => ({ ...recordset, recordsetId: id }));
  return [...stored.filter(({ recordsetId }) => !gone.has(recordsetId!)), ...added];
}

export function removesAddress({ kind, recordset: { type } }: ContentChange): boolean {
  return kind === 'removed' && (type === 'A' || type === 'AAAA');
}

/** Whether a name has lost an address of the type; if it loses A and AAAA at once, that is said of the A. */
function losesAddress({ after }: CheckScope, { recordset: { name, type } }: ContentChange): boolean {
  const [key, other] = [subtreeKey(name), type === 'A' ? 'AAAA' : 'A'] as const;
  if (after.typesAt(key, []).has(other)) return false;
  return type === 'A' || after.typesAt(key, ['A']).has('A');
}

/** @param part one that removes an address */
export async function inUse(scope: CheckScope, part: ContentChange): Promise<readonly string[]> {
  const { reads, zone, after, needed } = scope;
  const { name } = part.recordset;
  const isNeeded = needed === undefined || needed.has(name) || after.nowPointingAt(name).length > 0;
  if (!isNeeded || !losesAddress(scope, part)) return [];
  const [stored, pointers, served] = await pipelined(
    reads.typesAt(zone.id, name),
    pointersAfter(scope, name),
    reads.servedBy(zone.projectId, name, ENOUGH),
  );
  const types = after.typesAt(subtreeKey(name), stored);
  const users = [...pointers, ...served];
  if (types.has('A') || types.has('AAAA') || users.length === 0) return [];
  return [
    `"${name}" would have no address, but it is needed by ${listOf(users, scope)}. Change or delete what points at it first.`,
  ];
}
