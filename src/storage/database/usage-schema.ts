/** The tables of usage, as last aggregated. */
export interface UsageSchema {
  /** The usage of each project at the last aggregation, by project id. */
  project_usage: {
    id: string;
    zones: number;
    recordsets: number;
    /** The maximum over its zones, as are the next two. */
    zone_recordsets: number;
    zone_records: number;
    zone_bytes: number;
    /** A JSON object: its limits at that time. */
    limits: string;
    /** The highest usage of a limit, in tenths of a percent; -1 if nothing is limited. */
    percentage: number;
  };
  /** One row: the start of the last full aggregation, and the position of the last event it includes; -1 for none. */
  usage_passes: { name: string; started_at: string; position: number };
}
