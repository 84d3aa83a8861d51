import type { TsigAlgorithm, TsigKey } from '../../model/tsig-keys/tsig-key.ts';

/** The tables of pools and of what their name servers have. */
export interface PublicationSchema {
  pools: {
    id: string;
    name: string;
    description: string | null;
    project_id: string | null;
    attributes: string;
    /** A list; '' in the default pool for the option. */
    ns_records: string;
    /** In the default pool: those of the option, of the process that was started last; '' before the first. */
    option_ns_records: string;
    nameservers: string;
    also_notifies: string;
    /** '' for a pool without a catalog. */
    catalog_fqdn: string;
    catalog_refresh: number;
    catalog_tsig_key: string;
    threshold: number | null;
    tsig_key: string;
    signing: number;
    /** 1 while it has name servers. */
    publishes: number;
    catalog_serial: number;
    /** Members that left before this serial may be forgotten; -1 if servers are to fetch the catalog whole. */
    catalog_kept_from: number;
    /** The zone up to which the orders of the pool have been made anew, or the apexes brought up to date; null if all have. */
    reorder_after: string | null;
    apex_after: string | null;
    /** The state of the pool for which its zones have their orders, and the zone up to which; null when all have. */
    reconciled_for: string | null;
    reconciled_to: string | null;
    created_at: string;
    updated_at: string;
  };
  tsig_keys: {
    id: string;
    name: string;
    algorithm: TsigAlgorithm;
    secret: string;
    scope: TsigKey['scope'];
    resource_id: string;
    created_at: string;
    updated_at: string;
  };
  /** The order to publish each zone of a pool with name servers, and what its servers have. */
  publications: {
    /** With `/former` behind it in the order for a pool that the zone leaves. */
    zone_id: string;
    pool_id: string;
    /** The label of its member in the catalog; '' until a batch took it in. */
    label: string;
    /** 1 while a batch has to take the zone into the catalog. */
    joining: number;
    removal: number;
    serial: number;
    published_serial: number | null;
    pending_since: string;
    due_at: string;
    attempts: number;
    error: string;
    servers: string;
    /** The bytes of all entries that the journal ever had. */
    journal_bytes: number;
    /** The pool that the zone is being moved to; '' for none. */
    moving: string;
    /** The serial that the servers there need to have before the next step. */
    moving_serial: number;
  };
  /** The members of catalogs, those that left included for a while. */
  catalog_members: {
    label: string;
    pool_id: string;
    /** Of the order; the name of the zone where the zone has been abandoned: no row of `zones` has it then. */
    zone_id: string;
    name: string;
    /** The catalog serial that took it in. */
    from_serial: number;
    /** The catalog serial that took it out; 0 for none, -1 while a batch has to take it out. */
    to_serial: number;
  };
  /** The changes of zones, for IXFR. */
  zone_journal: {
    /** The zone's id and the number. */
    id: string;
    zone_id: string;
    /** The version of the zone after the change. */
    number: number;
    from_serial: number;
    to_serial: number;
    entry: string;
    /** The bytes of this entry and of all before it. */
    bytes_until: number;
  };
  /** Names whose zones are gone. */
  former_zones: {
    name: string;
    pool_id: string;
    project_id: string;
    serial: number;
    gone_at: string;
  };
  /** Work that one process at a time does. */
  leases: {
    name: string;
    /** Who does it; '' for nobody. */
    holder: string;
    /** When it is free for others, whatever has become of the holder. */
    held_until: string;
    /** When it is due. */
    next_at: string;
  };
  /** The serials that signing servers have completed a transfer of. */
  transferred_serials: {
    /** The zone's id and the server's address. */
    id: string;
    zone_id: string;
    server: string;
    serial: number;
    at: string;
  };
}
