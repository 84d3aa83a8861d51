import type { Door } from '../../model/history/change-source.ts';

/** The tables of the history of zones. */
export interface HistorySchema {
  /** The journal: the changes of zones. The transfers of secondary zones are in `zone_journal`, too, for IXFR. */
  zone_changes: {
    /** See `changeIdAt`. */
    id: string;
    zone_id: string;
    /** The owner after the change. */
    project_id: string;
    /** The zone's version after the change. */
    number: number;
    /** Null if the change created the zone. */
    from_serial: number | null;
    to_serial: number;
    at: string;
    door: Door;
    /** A JSON object, see `ChangeActor`. */
    actor: string;
    description: string | null;
    /** Numbers of recordsets. */
    created: number;
    updated: number;
    deleted: number;
    /** A JSON object, see `ZoneFacts`: for each, the value before and after, or one if they are the same. */
    zone: string;
    /** See `effects-text.ts`; null if they are not kept. */
    effects: string | null;
    /** 1 while it belongs to the history; 0 if only IXFR needs it. */
    kept: number;
    /** Approximate size of the row. */
    size: number;
    /** Size of the difference for IXFR; 0 if IXFR cannot serve it. */
    difference_bytes: number;
    /** Total of this and all earlier differences. */
    bytes_until: number;
    /** IXFR serves only changes with a greater number, */
    served_after: number;
    /** and, from the newest back, at most so many bytes of differences. The newest change of a zone counts. */
    served_bytes: number;
  };
  /** What the kept changes of each zone and project take. */
  history_sizes: {
    /** The kind and the id. */
    id: string;
    kind: 'zone' | 'project';
    bytes: number;
  };
  /** How far the upkeep is. */
  history_progress: {
    name: 'counted' | 'expired';
    /** The id of a change. */
    up_to: string;
  };
  /** Zones that are gone, whose changes are still to be removed. */
  forgotten_histories: { zone_id: string };
}
