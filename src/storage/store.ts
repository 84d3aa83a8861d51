import { type Kysely, sql } from 'kysely';
import type { Store, Transaction } from '../domain/ports.ts';
import { apiTokenReads, apiTokenWrites } from './api-tokens.ts';
import { auditReads, counterWrites } from './audit.ts';
import { blacklistReads, blacklistWrites } from './blacklists.ts';
import { groupCommit } from './group-commit.ts';
import { idempotencyKeyReads, idempotencyKeyWrites } from './idempotency-keys.ts';
import { projectReads, projectWrites } from './projects.ts';
import { recordsetReads, recordsetWrites } from './recordsets.ts';
import type { Schema } from './schema.ts';
import { transferReads, transferWrites } from './transfers.ts';
import { zoneTaskReads, zoneTaskWrites } from './zone-tasks.ts';
import { zoneReads, zoneWrites } from './zones.ts';

function writes(tx: Kysely<Schema>): Transaction {
  return {
    blacklists: blacklistWrites(tx),
    zones: zoneWrites(tx),
    recordsets: recordsetWrites(tx),
    projects: projectWrites(tx),
    zoneTasks: zoneTaskWrites(tx),
    counters: counterWrites(tx),
    transfers: transferWrites(tx),
    apiTokens: apiTokenWrites(tx),
    idempotencyKeys: idempotencyKeyWrites(tx),
  };
}

/** The store over two ways into one database: one that reads what is committed, one that writes. */
export function storeOver(reader: Kysely<Schema>, writer: Kysely<Schema>): Store {
  const commit = groupCommit(writer);
  return {
    blacklists: blacklistReads(reader),
    zones: zoneReads(reader),
    recordsets: recordsetReads(reader),
    projects: projectReads(reader),
    zoneTasks: zoneTaskReads(reader),
    transfers: transferReads(reader),
    apiTokens: apiTokenReads(reader),
    idempotencyKeys: idempotencyKeyReads(reader),
    transaction: (work) => commit((tx) => work(writes(tx))),
    snapshot: (work) =>
      reader.connection().execute(async (db) => {
        // A transaction that only reads takes no lock: it sees what was committed when it first read.
        await sql`begin`.execute(db);
        try {
          return await work(auditReads(db));
        } finally {
          await sql`rollback`.execute(db);
        }
      }),
    async close() {
      await reader.destroy();
      await writer.destroy();
    },
  };
}
