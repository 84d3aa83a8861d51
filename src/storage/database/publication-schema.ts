import type { TsigAlgorithm, TsigKey } from '../../model/tsig-keys/tsig-key.ts';

/** The tables of pools, and of the state of their name servers. */
export interface PublicationSchema {
  pools: {
    id: string;
    name: string;
    description: string | null;
    project_id: string | null;
    attributes: string;
    /** A list; in the default pool '' for that of the option. */
    ns_records: string;
    /** In the default pool: the option's NS records, as of the process started last; '' before the first start. */
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
    /** 1 while the pool has name servers. */
    publishes: number;
    catalog_serial: number;
    /** Members that left before this serial may be deleted; -1 if servers must fetch the whole catalog. */
    catalog_kept_from: number;
    /** The last zone whose order was recreated or whose apex was updated, respectively; null once all are done. */
    reorder_after: string | null;
    apex_after: string | null;
    /**
     * The pool state to which the orders of its zones are being reconciled, and the last zone done; null once all
     * are.
     */
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
    /** The name as sent; null where it is `name`. */
    spelling: string | null;
    /** 0 if the key transfers no zone. */
    transfer: number;
    /** The scope of its updates as JSON; '' for none. */
    update_scope: string;
    /** The project whose key it is; '' for a key of administrators. */
    project_id: string;
  };
  /** DNS UPDATE messages that were taken, until their signatures have expired. */
  taken_updates: {
    /** The key and the MAC. */
    id: string;
    rcode: number;
    expires_at: string;
  };
  /** The order to publish each zone of a pool with name servers, and the state of these servers. */
  publications: {
    /** With the suffix `/former` in the order for the pool that the zone is leaving. */
    zone_id: string;
    pool_id: string;
    /** The label of the catalog member; '' until a batch added it. */
    label: string;
    /** 1 while a batch has yet to add the zone to the catalog. */
    joining: number;
    removal: number;
    serial: number;
    published_serial: number | null;
    pending_since: string;
    due_at: string;
    attempts: number;
    error: string;
    servers: string;
    /** Total bytes of all entries that the journal ever had. */
    journal_bytes: number;
    /** The pool that the zone is being moved to; '' for none. */
    moving: string;
    /** The serial that the servers of that pool need before the next step. */
    moving_serial: number;
  };
  /** Catalog members, including those that left recently. */
  catalog_members: {
    label: string;
    pool_id: string;
    /** ID of the order; the zone's name if the zone was abandoned: then `zones` has no row with this id. */
    zone_id: string;
    name: string;
    /** The catalog serial that added it. */
    from_serial: number;
    /** The catalog serial that removed it; 0 for none, -1 while a batch has yet to remove it. */
    to_serial: number;
  };
  /** Zone changes, for IXFR. */
  zone_journal: {
    /** The zone's id and the number. */
    id: string;
    zone_id: string;
    /** The zone's version after the change. */
    number: number;
    from_serial: number;
    to_serial: number;
    entry: string;
    /** Total bytes of this entry and all earlier ones. */
    bytes_until: number;
  };
  /** Names of deleted zones. */
  former_zones: {
    name: string;
    pool_id: string;
    project_id: string;
    serial: number;
    gone_at: string;
  };
  /** Work that only one process at a time may do. */
  leases: {
    name: string;
    /** The process that does it; '' for none. */
    holder: string;
    /** When others may take it, even if the holder has not released it. */
    held_until: string;
    /** When it is due. */
    next_at: string;
  };
  /** The serials of transfers that signing servers completed. */
  transferred_serials: {
    /** The zone's id and the server's address. */
    id: string;
    zone_id: string;
    server: string;
    serial: number;
    at: string;
  };
}
