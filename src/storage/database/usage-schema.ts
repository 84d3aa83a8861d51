/** The tables of what projects use, as a process found it out a moment ago. */
export interface UsageSchema {
  /** What each project used when it was last looked at, by its id. */
  project_usage: {
    id: string;
    zones: number;
    recordsets: number;
    /** The most that one of its zones has. */
    zone_recordsets: number;
    zone_records: number;
    zone_bytes: number;
    /** A JSON object: its limits then. */
    limits: string;
    /** The highest one, in tenths; -1 if nothing is limited. */
    percentage: number;
  };
  /** One row: when the last whole look at all projects began, and the position of the events that it knows; -1 for none. */
  usage_passes: { name: string; started_at: string; position: number };
}
