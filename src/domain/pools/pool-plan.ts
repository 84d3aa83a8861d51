/** Plans the changes that make the pools in the store match a file. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { notBefore } from '../../model/clock.ts';
import { DEFAULT_POOL_ID, PLACEHOLDER_NS, type Pool, publishesPlaceholder } from '../../model/pools/pool.ts';
import { opensPool, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import { Faults } from '../shapes/faults.ts';
import { type PoolSpec, poolToFile } from './pool-file.ts';

export interface ChangedPool {
  readonly before: Pool;
  readonly after: Pool;
}

export interface PoolPlan {
  readonly added: readonly Pool[];
  readonly changed: readonly ChangedPool[];
  readonly removed: readonly Pool[];
}

const NO_NS = `No resolver can follow ${PLACEHOLDER_NS}: name the servers of this pool, such as "ns_records: [{ hostname: ns1.example.net., priority: 1 }]", or set the option [DEFAULT] ns_records.`;

/** The changes to one pool, in the terms of the file; undefined stands for a missing value. */
export interface PoolDifference {
  readonly kind: 'add' | 'change' | 'remove';
  readonly name: string;
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

/** The current state that a file is compared with. */
export interface PoolsPresent {
  readonly pools: readonly Pool[];
  readonly keys: readonly TsigKey[];
  /** The name servers of the option `ns_records`. */
  readonly optionNs: readonly string[];
  /** Names of catalogs in the file for which zones exist. */
  readonly zoneNames: ReadonlySet<string>;
}

/** The properties of a pool that affect its name servers. */
function servedBy({ nameservers, threshold, catalogZone, tsigKey, signing }: Pool): unknown {
  return { nameservers, threshold, catalogZone, tsigKey, signing };
}

/** The updates that the zones of a pool need after its change. */
export function consequencesOf({ before, after }: ChangedPool) {
  return {
    reorders: !isDeepStrictEqual(servedBy(before), servedBy(after)),
    renewsApexes: !isDeepStrictEqual(before.nsRecords, after.nsRecords),
  };
}

function counterpart({ id, name }: PoolSpec, pools: readonly Pool[]): Pool | undefined {
  return pools.find((pool) => pool.id === id) ?? pools.find((pool) => pool.name === name);
}

function isSame(pool: Pool, spec: PoolSpec): boolean {
  return isDeepStrictEqual(poolToFile(pool), poolToFile({ ...spec, id: pool.id }));
}

/** Why a pool cannot use the named key; undefined if it can. */
function keyFault(name: string | null, poolId: string | undefined, keys: readonly TsigKey[]) {
  if (name === null) return undefined;
  const key = keys.find((one) => one.name === name);
  if (key === undefined) return `There is no TSIG key ${name}. Create it first with POST /v2/tsigkeys.`;
  if (poolId !== undefined && opensPool(key, poolId)) return undefined;
  const owner = `${key.scope === 'ZONE' ? 'zone' : 'pool'} ${key.resourceId}`;
  const wanted = poolId ?? '(the id of this new pool: write one in this entry)';
  return `The TSIG key ${name} belongs to the ${owner}. Name a key with the scope POOL and the resource_id ${wanted}.`;
}

/** Reports the faults of an entry that do not show from the file alone. */
function reportEntry(spec: PoolSpec, found: Pool | undefined, present: PoolsPresent, faults: Faults): void {
  const emit = (field: string, message: string): void => {
    faults.within(field, () => faults.add(message));
  };
  if (found !== undefined && spec.id !== undefined && spec.id !== found.id) {
    emit(
      'id',
      `The pool ${found.name} has the id ${found.id}, which cannot change: use that ID, or omit it.`,
    );
  }
  if (spec.nsRecords === null && found?.id !== DEFAULT_POOL_ID) {
    emit('ns_records', 'This key is required: only the default pool can use the option ns_records.');
  } else if (publishesPlaceholder(spec, present.optionNs)) {
    emit('ns_records', NO_NS);
  }
  const { tsigKey, catalogZone } = spec;
  const requireKey = (name: string | null): void => {
    const fault = keyFault(name, found?.id ?? spec.id, present.keys);
    if (fault !== undefined) emit('tsig_key', fault);
  };
  requireKey(tsigKey);
  faults.within('nameservers', () => {
    for (const [place, server] of spec.nameservers.entries())
      faults.within(place, () => requireKey(server.tsigKey ?? null));
  });
  if (catalogZone === null) return;
  faults.within('catalog_zone', () => {
    requireKey(catalogZone.tsigKey);
    if (present.zoneNames.has(catalogZone.fqdn)) emit('fqdn', 'A zone has this name. Choose another name.');
  });
}

/**
 * Reports conflicts of an entry with other pools.
 * @param others other pools, as planned
 * @param present current pools: two pools cannot swap their names in one step
 */
function reportClash(after: Pool, others: readonly Pool[], present: readonly Pool[], faults: Faults): void {
  const names = [...others, ...present].filter(({ id }) => id !== after.id).map(({ name }) => name);
  const name = 'Another pool has this name. Choose another name, or rename that pool first.';
  if (names.includes(after.name)) faults.within('name', () => faults.add(name));
  const fqdn = after.catalogZone?.fqdn;
  if (fqdn === undefined || others.every(({ catalogZone }) => catalogZone?.fqdn !== fqdn)) return;
  const taken = 'The catalog of another pool has this name. Choose another name.';
  faults.within('catalog_zone', () => faults.within('fqdn', () => faults.add(taken)));
}

function poolAfter(spec: PoolSpec, found: Pool | undefined, now: string): Pool {
  if (found === undefined) {
    return { ...spec, id: spec.id ?? randomUUID(), projectId: null, createdAt: now, updatedAt: null };
  }
  if (isSame(found, spec)) return found;
  const updatedAt = notBefore(now, found.createdAt, found.updatedAt);
  const { id, projectId, createdAt } = found;
  return { ...spec, id, projectId, createdAt, updatedAt };
}

/**
 * Plans the changes that make the pools match a file.
 * @param removesOthers true to remove pools that are not in the file, except the default pool
 * @throws DomainError `invalid_object` with all faults
 */
export function planPools(
  specs: readonly PoolSpec[],
  present: PoolsPresent,
  { removesOthers, now }: { readonly removesOthers: boolean; now(): string },
): PoolPlan {
  const entries = specs.map((spec) => {
    const before = counterpart(spec, present.pools);
    return { spec, before, after: poolAfter(spec, before, now()) };
  });
  const listed = new Set(entries.map(({ after }) => after.id));
  const others = present.pools.filter(({ id }) => !listed.has(id));
  const removed = removesOthers ? others.filter(({ id }) => id !== DEFAULT_POOL_ID) : [];
  const staying = present.pools.filter((pool) => !removed.includes(pool));
  const kept = others.filter((pool) => !removed.includes(pool));
  const faults = new Faults();
  for (const [place, { spec, before, after }] of entries.entries()) {
    const earlier = entries.slice(0, place).map((entry) => entry.after);
    faults.within(place, () => {
      if (earlier.some(({ id }) => id === after.id)) {
        faults.within('id', () => faults.add('An earlier entry has this ID, or names the pool that has it.'));
      }
      reportEntry(spec, before, present, faults);
      reportClash(after, [...kept, ...earlier], staying, faults);
    });
  }
  if (faults.count > 0) throw faults.refusal();
  const changed = entries.flatMap(({ before, after }) =>
    before === undefined || before === after ? [] : [{ before, after }],
  );
  return { added: entries.flatMap(({ before, after }) => (before ? [] : [after])), changed, removed };
}

function fieldsOf(before: Pool | undefined, after: Pool | undefined): PoolDifference['fields'] {
  const one = before === undefined ? {} : poolToFile(before);
  const other = after === undefined ? {} : poolToFile(after);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((field) => !isDeepStrictEqual(one[field], other[field]))
    .map((field) => ({ field, before: one[field], after: other[field] }));
}

/** The changes of a plan. New ids are left out, because they are random. */
export function differencesOf({ added, changed, removed }: PoolPlan): readonly PoolDifference[] {
  return [
    ...removed.map((pool) => ({ kind: 'remove', name: pool.name, fields: [] }) as const),
    ...changed.map(
      ({ before, after }) =>
        ({ kind: 'change', name: before.name, fields: fieldsOf(before, after) }) as const,
    ),
    ...added.map((pool) => {
      const fields = fieldsOf(undefined, pool).filter(({ field }) => field !== 'id' && field !== 'name');
      return { kind: 'add', name: pool.name, fields } as const;
    }),
  ];
}
