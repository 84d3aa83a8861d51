import type { Kysely } from 'kysely';
import type { Store, Transaction } from '../domain/ports.ts';
import { apiTokenReads, apiTokenWrites } from './api-tokens.ts';
import { blacklistReads, blacklistWrites } from './blacklists.ts';
import { groupCommit } from './group-commit.ts';
import { projectReads, projectWrites } from './projects.ts';
import { recordsetReads, recordsetWrites } from './recordsets.ts';
import type { Schema } from './schema.ts';
import { transferReads, transferWrites } from './transfers.ts';
import { zoneReads, zoneWrites } from './zones.ts';

function writes(tx: Kysely<Schema>): Transaction {
  return {
    blacklists: blacklistWrites(tx),
    zones: zoneWrites(tx),
    recordsets: recordsetWrites(tx),
    projects: projectWrites(tx),
    transfers: transferWrites(tx),
    apiTokens: apiTokenWrites(tx),
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
    transfers: transferReads(reader),
    apiTokens: apiTokenReads(reader),
    transaction: (work) => commit((tx) => work(writes(tx))),
    async close() {
      await reader.destroy();
      await writer.destroy();
    },
  };
}
