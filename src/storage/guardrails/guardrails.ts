import { type Kysely, sql } from 'kysely';
import { canonicalName, END_OF_SUBTREE, type OwnerName, parentsOf, subtreeKey } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { GuardrailReads, NameSurroundings, Pointer } from '../../model/guardrails/store.ts';
import { targetsOf } from '../../model/guardrails/targets.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { pointingFromRow } from './target-index.ts';

/** Statements by their limit, which is part of their text and rounded up, so that few texts serve all limits. */
function byLimit<S>(statementFor: (limit: number) => S): (limit: number) => S {
  const made = new Map<number, S>();
  return (limit) => {
    let size = 4;
    while (size < limit) size *= 2;
    const statement = made.get(size) ?? statementFor(size);
    made.set(size, statement);
    return statement;
  };
}

interface PointerQuestion {
  readonly projectId: string;
  readonly target: string;
  readonly type: string;
}

interface PointerRow {
  readonly id: string;
  readonly zone_id: string;
  readonly name: string;
  readonly type: StoredType;
  readonly records: string;
}

/**
 * The first in the order of their index. A row of the index may be left from a version that does not maintain it, so
 * the recordset is looked at, too.
 */
function pointersOf({ hasType }: { readonly hasType: boolean }, limit: number) {
  return prepared<PointerQuestion, PointerRow>((_, slot) => {
    const type = hasType ? sql`and record_targets.type = ${slot((question) => question.type)}` : sql``;
    return sql<PointerRow>`
      select recordsets.id, recordsets.zone_id, recordsets.name, recordsets.type, recordsets.records
      from record_targets
        inner join recordsets on recordsets.id = record_targets.recordset_id
        inner join zones on zones.id = recordsets.zone_id and zones.project_id = record_targets.project_id
      where record_targets.target = ${slot(({ target }) => target)}
        and record_targets.project_id = ${slot(({ projectId }) => projectId)} ${type}
      order by record_targets.type, record_targets.recordset_id
      ${limitTo(limit)}`;
  });
}

const pointersOfAnyType = byLimit((limit) => pointersOf({ hasType: false }, limit));
const pointersOfType = byLimit((limit) => pointersOf({ hasType: true }, limit));

const SERVERS_OF_A_POOL = sql`nullif(case when pools.ns_records = '' then pools.option_ns_records else pools.ns_records end, '')`;

interface ServerQuestion {
  readonly projectId: string;
  readonly server: string;
}

interface ZoneOfServer {
  readonly id: string;
  readonly name: string;
}

/** There are few pools. */
const servedZones = byLimit((limit) =>
  prepared<ServerQuestion, ZoneOfServer>((db, slot) => {
    const named = dialectOf(db).textRows(['hostname'], SERVERS_OF_A_POOL);
    return sql<ZoneOfServer>`
    select zones.id, zones.name from pools
      inner join zones on zones.pool_id = pools.id
    where zones.project_id = ${slot(({ projectId }) => projectId)}
      and zones.type = 'PRIMARY' and zones.action <> 'DELETE'
      and exists (select 1 from ${named} as server where server.hostname = ${slot(({ server }) => server)})
    ${limitTo(limit)}`;
  }),
);

interface NamesQuestion {
  readonly projectId: string;
  readonly names: readonly OwnerName[];
}

const neededNames = prepared<NamesQuestion, { readonly name: OwnerName }>((db, slot) => {
  const { jsonTexts, textRows } = dialectOf(db);
  const names = jsonTexts(sql`${slot((question) => JSON.stringify(question.names))}`);
  const servers = textRows(['hostname'], SERVERS_OF_A_POOL);
  return sql<{ readonly name: OwnerName }>`
    select record.value as name from ${names}
    where exists (select 1 from record_targets where record_targets.target = record.value
        and record_targets.project_id = ${slot(({ projectId }) => projectId)})
      or exists (select 1 from pools
        where exists (select 1 from ${servers} as server where server.hostname = record.value))`;
});

interface ZonePlace {
  readonly zoneId: string;
  readonly key: string;
}

const typesAtName = prepared<ZonePlace, { readonly type: StoredType }>((_, slot) => {
  const [zoneId, key] = [slot((place) => place.zoneId), slot((place) => place.key)];
  return sql`select type from recordsets where zone_id = ${zoneId} and subtree_key = ${key}`;
});

interface NameQuestion {
  readonly key: string;
  /** The name and the names above it. */
  readonly names: readonly string[];
}

interface EnclosingZone {
  readonly id: string;
  readonly name: string;
  readonly project_id: string;
  readonly transferred: number;
  readonly preceding: string | null;
  readonly following: string | null;
}

/** The nearest zone at or above a name, with the neighbours of the name in it. */
const enclosingZone = prepared<NameQuestion, EnclosingZone>((db, slot) => {
  const names = dialectOf(db).jsonTexts(sql`${slot((question) => JSON.stringify(question.names))}`);
  const key = sql`${slot((question) => question.key)}`;
  return sql<EnclosingZone>`
    select nearest.id, zones.name, zones.project_id,
      coalesce((select transferred from secondaries where secondaries.zone_id = nearest.id), 1) as transferred,
      (select subtree_key from recordsets where recordsets.zone_id = nearest.id and recordsets.subtree_key < ${key}
        order by recordsets.subtree_key desc limit 1) as preceding,
      (select subtree_key from recordsets where recordsets.zone_id = nearest.id and recordsets.subtree_key > ${key}
        order by recordsets.subtree_key limit 1) as following
    from (
      select id from (
        select (select zones.id from zones where zones.name = record.value and zones.action <> 'DELETE') as id,
          length(record.value) as size
        from ${names}
      ) as enclosing
      where id is not null order by size desc limit 1
    ) as nearest inner join zones on zones.id = nearest.id`;
});

interface StoredAtKey {
  readonly zone_id: string;
  readonly key: string;
  readonly type: StoredType;
}

/** The recordsets at keys, in any zone: a name is only in the few zones above it. */
const atKeys = prepared<readonly string[], StoredAtKey>((db, slot) => {
  const keys = dialectOf(db).jsonTexts(sql`${slot((all) => JSON.stringify(all))}`);
  return sql<StoredAtKey>`select zone_id, subtree_key as key, type from recordsets
    where subtree_key in (select record.value from ${keys})`;
});

const countInSubtree = byLimit((limit) =>
  prepared<ZonePlace & { readonly end: string }, { readonly found: number }>((_, slot) => {
    const [zoneId, key, end] = [
      slot((part) => part.zoneId),
      slot((part) => part.key),
      slot((part) => part.end),
    ];
    return sql`select count(*) as found from (
      select 1 as one from recordsets where zone_id = ${zoneId}
        and subtree_key >= ${key} and subtree_key < ${end} ${limitTo(limit)}) as part`;
  }),
);

const zoneNamed = prepared<{ readonly projectId: string; readonly name: string }, { readonly id: string }>(
  (_, slot) => sql`select id from zones where name = ${slot(({ name }) => name)}
    and project_id = ${slot(({ projectId }) => projectId)} and action <> 'DELETE'`,
);

async function around(db: Kysely<Schema>, name: OwnerName): Promise<NameSurroundings | undefined> {
  const above = parentsOf(name);
  const [key, ...keysAbove] = [name, ...above].map(subtreeKey) as [string, ...string[]];
  const wildcards = keysAbove.map((parent) => `${parent}!*`);
  const [zones, stored] = await pipelined(
    db.executeQuery(enclosingZone(db, { key, names: [name, ...above] })),
    db.executeQuery(atKeys(db, [key, ...keysAbove, ...wildcards])),
  );
  const zone = zones.rows[0];
  if (zone === undefined) return undefined;
  const { id, project_id: projectId, transferred, preceding, following } = zone;
  return {
    zone: { id, name: canonicalName(zone.name), projectId },
    isAwaited: transferred === 0,
    neighbours: [preceding, following].filter((neighbour) => neighbour !== null),
    recordsets: stored.rows.filter(({ zone_id }) => zone_id === id),
  };
}

function pointerFromRow({ id, zone_id: zoneId, name, type }: PointerRow): Pointer {
  return { zoneId, name: canonicalName(name), type, recordsetId: id };
}

/** The reads of guardrails in a transaction. */
export function guardrailReads(db: Kysely<Schema>): GuardrailReads {
  return {
    async pointersTo(projectId, target, limit, type) {
      const question = { projectId, target, type: type ?? '' };
      const statement = (type === undefined ? pointersOfAnyType : pointersOfType)(limit)(db, question);
      const { rows } = await db.executeQuery(statement);
      return rows.filter((row) => targetsOf(pointingFromRow(row)).includes(target)).map(pointerFromRow);
    },

    async servedBy(projectId, server, limit) {
      const { rows } = await db.executeQuery(servedZones(limit)(db, { projectId, server }));
      return rows.map(
        ({ id, name }): Pointer => ({
          zoneId: id,
          name: canonicalName(name),
          type: 'NS',
          recordsetId: undefined,
        }),
      );
    },

    async neededAmong(projectId, names) {
      const { rows } = await db.executeQuery(neededNames(db, { projectId, names }));
      return new Set(rows.map(({ name }) => name));
    },

    async typesAt(zoneId, name) {
      const { rows } = await db.executeQuery(typesAtName(db, { zoneId, key: subtreeKey(name) }));
      return rows.map(({ type }) => type);
    },

    around: (name) => around(db, name),

    async countBelow(zoneId, key, limit) {
      const part = { zoneId, key, end: `${key}${END_OF_SUBTREE}` };
      const { rows } = await db.executeQuery(countInSubtree(limit)(db, part));
      return Number(rows[0]?.found ?? 0);
    },

    async hasZone(projectId, name) {
      return (await db.executeQuery(zoneNamed(db, { projectId, name }))).rows.length > 0;
    },
  };
}
