/** Which zones a scope lets read, in SQL: a condition that holds for all of them, and perhaps for others. */
import { type RawBuilder, sql } from 'kysely';
import type { Fqdn } from '../../dns/names.ts';
import { canonicalName, subtreeRange } from '../../dns/names.ts';
import { limitsIn, type Scope } from '../../model/access/scope.ts';
import { allowsZone, type ZonePattern } from '../../model/scopes/credential-scope.ts';
import { literalSuffix } from '../../model/scopes/name-pattern.ts';

interface LimitedZone {
  readonly id: string;
  readonly name: string;
}

/** The check of single zones; undefined if the scope has no limits. */
export function zoneCheckIn(scope: Scope): ((zone: LimitedZone) => boolean) | undefined {
  const limits = limitsIn(scope);
  if (limits?.zones === undefined) return undefined;
  return ({ id, name }) => allowsZone(limits, { id, name: name as Fqdn });
}

/** A condition that an index answers; undefined for a pattern without a literal at its end. */
function indexedCondition(entry: ZonePattern): RawBuilder<boolean> | undefined {
  if ('id' in entry) return sql`zones.id = ${entry.id}`;
  const suffix = literalSuffix(entry.pattern);
  if (suffix.labels.length === 0) return undefined;
  const name = canonicalName<Fqdn>(`${suffix.labels.join('.')}.`);
  if (suffix.isWhole) return sql`zones.name = ${name}`;
  const { from, to } = subtreeRange(name);
  // `**` also stands for no label.
  return sql`(zones.name = ${name} or (zones.subtree_key >= ${from} and zones.subtree_key < ${to}))`;
}

/** Undefined if no index can find the zones of the scope. */
export function zonesByIndex(scope: Scope): RawBuilder<boolean> | undefined {
  const conditions = limitsIn(scope)?.zones?.map(indexedCondition);
  if (conditions === undefined || conditions.includes(undefined)) return undefined;
  return sql`(${sql.join(conditions, sql` or `)})`;
}
