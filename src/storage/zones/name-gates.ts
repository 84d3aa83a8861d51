import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Fqdn } from '../../dns/names.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { preparedList } from '../lists/prepared-list.ts';

/**
 * The number of gates. Neither it nor the gate of a name may ever change, because processes of two versions may share
 * one database.
 */
export const GATES = 256;

function gateFrom(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() % GATES;
}

/** No zone name has only one label, so a name and any name below it end in the same two labels. */
function gateOf(name: Fqdn): number {
  return gateFrom(name.split('.').slice(-3).join('.'));
}

const gate = prepared<number>((db, slot) =>
  db
    .selectFrom('name_gates')
    .select('gate')
    .where(
      'gate',
      '=',
      slot((number) => number),
    )
    .modifyEnd(dialectOf(db).forUpdate),
);

/** Locks the gate of a name until the transaction ends. */
export async function lockGate(db: Kysely<Schema>, name: Fqdn): Promise<void> {
  await db.executeQuery(gate(db, gateOf(name)));
}

const freeGates = preparedList<number, { readonly gate: number }>((db, places) =>
  db.selectFrom('name_gates').select('gate').where('gate', 'in', places).modifyEnd(dialectOf(db).skipLocked),
);

/**
 * Locks the gates of these names, except those that another transaction has locked. Never waits.
 * @returns the names whose gates it locked
 */
export async function lockFreeGates(db: Kysely<Schema>, names: readonly Fqdn[]): Promise<ReadonlySet<Fqdn>> {
  const gates = new Map(names.map((name) => [name, gateOf(name)]));
  const { rows } = await db.executeQuery(freeGates(db, [...new Set(gates.values())]));
  const locked = new Set(rows.map((row) => row.gate));
  return new Set(names.filter((name) => locked.has(gates.get(name)!)));
}

/**
 * Locks a gate derived from the full name of a zone. One gate is enough to keep the patterns from changing, and creates
 * of records in most other zones do not wait.
 */
export async function lockGateOfName(db: Kysely<Schema>, zoneName: Fqdn): Promise<void> {
  await db.executeQuery(gate(db, gateFrom(zoneName)));
}

/** Serializes changes to the rules for zone names: patterns and TLDs. Creates of zones do not wait for it. */
export async function lockNameRules(db: Kysely<Schema>): Promise<void> {
  const row = db.selectFrom('blacklist_revision').select('revision');
  await row.modifyEnd(dialectOf(db).forUpdate).execute();
}

/** Locks all gates until the transaction ends. */
export async function lockAllGates(db: Kysely<Schema>): Promise<void> {
  const query = db.selectFrom('name_gates').select('gate').orderBy('gate');
  await query.modifyEnd(dialectOf(db).forUpdate).execute();
}
