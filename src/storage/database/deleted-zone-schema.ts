import type { ZoneType } from '../../model/zones/zone.ts';

/** The tables of deleted zones. */
export interface DeletedZoneSchema {
  /** Zones that can be restored. */
  deleted_zones: {
    id: string;
    name: string;
    project_id: string;
    type: ZoneType;
    serial: number;
    recordsets: number;
    deleted_at: string;
    /** The key of its contents. */
    contents_id: string;
    /** A JSON object: what else a restore needs, see `KeptDeletedZone`. */
    zone: string;
    /** Approximate bytes of the row and its contents. */
    size: number;
    /** 1 once its project has been held to its bounds since. */
    settled: number;
  };
  /** The recordsets of deleted zones, in parts: see `effects-text.ts`. */
  deleted_contents: {
    /** The key of the contents, and the number of the part. */
    id: string;
    part: string;
  };
  /** Contents that nothing needs any more, and that are still to be removed. */
  forgotten_contents: { contents_id: string };
}
