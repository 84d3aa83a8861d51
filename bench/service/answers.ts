import type { CompiledQuery, Selectable } from 'kysely';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Schema } from '../../src/storage/database/schema.ts';
import type { PoolRow } from '../../src/storage/pools/rows.ts';

/** The only pool of a new store: no name servers, no catalog. */
const DEFAULT_POOL: PoolRow = {
  id: DEFAULT_POOL_ID,
  name: 'default',
  description: null,
  project_id: null,
  attributes: '{}',
  ns_records: '',
  option_ns_records: '',
  nameservers: '[]',
  also_notifies: '[]',
  catalog_fqdn: '',
  catalog_refresh: 0,
  catalog_tsig_key: '',
  threshold: null,
  tsig_key: '',
  signing: 0,
  publishes: 0,
  catalog_serial: 0,
  catalog_kept_from: 0,
  reorder_after: null,
  apex_after: null,
  reconciled_for: null,
  reconciled_to: null,
  created_at: '2020-01-01T00:00:00.000000',
  updated_at: '',
};

/** A project that has a row already and no limit on zones. */
function projectOf(projectId: string): Selectable<Schema['projects']> {
  return {
    project_id: projectId,
    zones: 1,
    recordsets: 0,
    quota_zones: -1,
    quota_zone_recordsets: null,
    quota_zone_records: null,
    quota_recordset_records: null,
    quota_api_export_size: null,
    told_zones: 0,
    told_zones_limit: 0,
  };
}

/**
 * What the database would answer to a statement of a create, as far as the use case looks at it: no blacklists, no TLDs,
 * and no zone or former zone that has anything to do with the name.
 */
export function rowsOf({ sql, parameters }: CompiledQuery, token: object): readonly object[] {
  if (sql.includes('"api_tokens"')) return [token];
  if (sql.includes('"blacklist_revision"')) return [{ revision: 0 }];
  if (sql.startsWith('select * from "projects"')) return [projectOf(String(parameters[0]))];
  if (sql.includes('"name_gates"')) return [{ gate: parameters[0] }];
  if (sql.startsWith('select * from "pools"')) return [DEFAULT_POOL];
  // One row, whatever it asks: a column that is missing is false.
  if (sql.startsWith('select exists')) return [{}];
  return [];
}
