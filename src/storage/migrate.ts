import type { Kysely } from 'kysely';
import type { Database } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Migration } from './database/migration.ts';
import type { Schema } from './database/schema.ts';
import { StorageOpenError } from './database/storage-errors.ts';
import { first } from './migrations/0001-first.ts';
import { lists } from './migrations/0002-lists.ts';
import { nameGates } from './migrations/0003-name-gates.ts';
import { idempotencyKeys } from './migrations/0004-idempotency-keys.ts';
import { zoneSizes } from './migrations/0005-zone-sizes.ts';
import { idempotencyBounds } from './migrations/0006-idempotency-bounds.ts';
import { publication } from './migrations/0007-publication.ts';
import { spellings } from './migrations/0008-spellings.ts';
import { serviceStatuses } from './migrations/0009-service-statuses.ts';
import { shares } from './migrations/0011-shares.ts';
import { secondaries } from './migrations/0012-secondaries.ts';
import { poolMoves } from './migrations/0013-pool-moves.ts';
import { leases } from './migrations/0014-leases.ts';
import { poolProjects } from './migrations/0015-pool-projects.ts';
import { rules } from './migrations/0016-rules.ts';
import { events } from './migrations/0017-events.ts';
import { usage } from './migrations/0018-usage.ts';
import { blacklistLists } from './migrations/0019-lists.ts';
import { previews } from './migrations/0020-previews.ts';
import { webhooks } from './migrations/0021-webhooks.ts';
import { nearLimits } from './migrations/0022-near-limits.ts';
import { skipsAndLookups } from './migrations/0023-skips-and-lookups.ts';
import { forecasts } from './migrations/0024-forecasts.ts';
import { tokenDescriptions } from './migrations/0025-token-descriptions.ts';
import { reconciledPools } from './migrations/0026-reconciled-pools.ts';
import { usagePositions } from './migrations/0027-usage-positions.ts';
import { soaTimers } from './migrations/0028-soa-timers.ts';
import { nameSearch } from './migrations/0029-name-search.ts';
import { protection } from './migrations/0030-protection.ts';
import { guardrails } from './migrations/0031-guardrails.ts';
import { history } from './migrations/0032-history.ts';
import { deletedZones } from './migrations/0033-deleted-zones.ts';
import { expiry } from './migrations/0034-expiry.ts';
import { tsigKeySpellings } from './migrations/0035-tsig-key-spellings.ts';
import { keyPermissions } from './migrations/0036-key-permissions.ts';
import { takenUpdates } from './migrations/0037-taken-updates.ts';
import { tokenScopes } from './migrations/0038-token-scopes.ts';
import { tenantsKeys } from './migrations/0039-tenants-keys.ts';
import { shareScopes } from './migrations/0040-share-scopes.ts';
import { unexpiredTokens } from './migrations/0041-unexpired-tokens.ts';
import * as resources from './resources.ts';

/** Those of the other tables. */
const OF_NO_RESOURCE: readonly Migration[] = [
  { version: 1, oldestReader: 1, up: first },
  { version: 2, oldestReader: 1, up: lists },
  { version: 3, oldestReader: 1, up: nameGates },
  { version: 4, oldestReader: 1, up: idempotencyKeys },
  // Older programs do not count sizes.
  { version: 5, oldestReader: 5, up: zoneSizes },
  { version: 6, oldestReader: 5, up: idempotencyBounds },
  { version: 7, oldestReader: 5, up: publication },
  { version: 8, oldestReader: 5, up: spellings },
  { version: 9, oldestReader: 5, up: serviceStatuses },
  // Older programs would transfer other projects' recordsets with a zone, and leave the shares of a deleted zone.
  { version: 11, oldestReader: 11, up: shares },
  // Older programs write every zone as a primary one, with their own SOA.
  { version: 12, oldestReader: 12, up: secondaries },
  { version: 13, oldestReader: 12, up: poolMoves },
  { version: 14, oldestReader: 12, up: leases },
  { version: 15, oldestReader: 12, up: poolProjects },
  // Older programs would refuse names for entries that only warn, have expired, or have an exception.
  { version: 16, oldestReader: 16, up: rules },
  { version: 17, oldestReader: 16, up: events },
  { version: 18, oldestReader: 16, up: usage },
  // Older programs would show and apply entries that are only staged, and entries that were removed.
  { version: 19, oldestReader: 19, up: blacklistLists },
  { version: 20, oldestReader: 19, up: previews },
  { version: 21, oldestReader: 19, up: webhooks },
  { version: 22, oldestReader: 19, up: nearLimits },
  { version: 23, oldestReader: 19, up: skipsAndLookups },
  { version: 24, oldestReader: 19, up: forecasts },
  { version: 25, oldestReader: 19, up: tokenDescriptions },
  { version: 26, oldestReader: 19, up: reconciledPools },
  { version: 27, oldestReader: 19, up: usagePositions },
  { version: 28, oldestReader: 19, up: soaTimers },
  { version: 29, oldestReader: 19, up: nameSearch },
  { version: 30, oldestReader: 19, up: protection },
  { version: 31, oldestReader: 19, up: guardrails },
  { version: 32, oldestReader: 19, up: history },
  { version: 33, oldestReader: 19, up: deletedZones },
  { version: 34, oldestReader: 19, up: expiry },
  { version: 35, oldestReader: 19, up: tsigKeySpellings },
  { version: 36, oldestReader: 19, up: keyPermissions },
  { version: 37, oldestReader: 19, up: takenUpdates },
  { version: 38, oldestReader: 19, up: tokenScopes },
  { version: 39, oldestReader: 19, up: tenantsKeys },
  { version: 40, oldestReader: 19, up: shareScopes },
  { version: 41, oldestReader: 19, up: unexpiredTokens },
];

/** Every migration, in the order of their versions: 1, 2, 3 and so on. */
export const MIGRATIONS: readonly Migration[] = [
  ...OF_NO_RESOURCE,
  ...Object.values(resources).flatMap(({ migrations }): readonly Migration[] => migrations),
].sort((one, other) => one.version - other.version);

/** The schema version that this program migrates to. */
export const NEWEST: Pick<Migration, 'version' | 'oldestReader'> = MIGRATIONS.at(-1)!;
const KNOWN = NEWEST.version;

/** `oldest_reader` of an unfinished copy: no program of any version opens it. */
export const UNFINISHED_COPY = 2 ** 31 - 1;

interface StoredVersion {
  readonly version: number;
  readonly oldest_reader: number;
}

/** Brings the schema of a database that is being opened up to date. */
export type Prepare = (database: Database) => Promise<void>;

function isLaid(db: Kysely<Schema>): Promise<boolean> {
  return dialectOf(db).hasTable(db, 'schema_version');
}

/** Creates the version table with its one row, in its own transaction: that row is the lock for all later steps. */
async function layFoundation(database: Database): Promise<void> {
  if (await isLaid(database.reader)) return;
  try {
    await database.transaction(async ({ now }) => {
      if (await isLaid(now)) return;
      await now.schema
        .createTable('schema_version')
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('oldest_reader', 'integer', (column) => column.notNull())
        .execute();
      await now.insertInto('schema_version').values({ version: 0, oldest_reader: 0 }).execute();
    });
  } catch (error) {
    // Another process has just created it.
    if (!(await isLaid(database.reader))) throw error;
  }
}

/** @throws StorageOpenError if this program cannot read a database of that version */
export function requireReadable(found: StoredVersion): void {
  if (found.oldest_reader <= KNOWN) return;
  if (found.oldest_reader === UNFINISHED_COPY) {
    throw new StorageOpenError(
      'The database is an unfinished copy of another one. Finish it with "zonewarden db copy", or empty it.',
    );
  }
  throw new StorageOpenError(
    `The database has schema version ${found.version}, which needs a newer zonewarden: this one supports version ${KNOWN}. Install the newer version, or restore a backup.`,
  );
}

async function migrateFrom(db: Kysely<Schema>, version: number): Promise<void> {
  for (const migration of MIGRATIONS.filter((one) => one.version > version)) {
    await migration.up(db as unknown as Kysely<unknown>, dialectOf(db));
    await db
      .updateTable('schema_version')
      .set({ version: migration.version, oldest_reader: migration.oldestReader })
      .execute();
  }
}

/**
 * Migrates the schema to this program's version, in one transaction that locks the version row. A newer schema is
 * left unchanged if its `oldest_reader` allows this program.
 * @throws StorageOpenError if the schema is newer and does not allow this program
 */
export async function migrate(database: Database): Promise<void> {
  await layFoundation(database);
  const before = await database.reader.selectFrom('schema_version').selectAll().executeTakeFirstOrThrow();
  requireReadable(before);
  if (before.version >= KNOWN) return;
  await database.transaction(async ({ now }) => {
    const row = now.selectFrom('schema_version').selectAll();
    const found = await row.modifyEnd(dialectOf(now).forUpdate).executeTakeFirstOrThrow();
    requireReadable(found);
    await migrateFrom(now, found.version);
  });
}

/**
 * Like `migrate`, for a database that already holds a store.
 * @throws StorageOpenError also if it holds none
 */
export async function migrateExisting(database: Database): Promise<void> {
  if (!(await isLaid(database.reader))) {
    throw new StorageOpenError(
      'The database contains no store. Check data_dir and [storage] connection, or run "zonewarden serve" to create one.',
    );
  }
  await migrate(database);
}

/** True if the database holds an unfinished copy. */
export async function isUnfinishedCopy({ reader }: Database): Promise<boolean> {
  if (!(await isLaid(reader))) return false;
  const row = await reader.selectFrom('schema_version').select('oldest_reader').executeTakeFirst();
  return row?.oldest_reader === UNFINISHED_COPY;
}
