import type { WrittenEvent } from '../../model/events/stored-event.ts';

/** The tables of what has happened. */
export interface EventSchema {
  /** Events that are committed and have no position yet. */
  event_queue: WrittenEvent;
  /** Sealed events. */
  events: EventColumns & { position: number; hash: string };
  /** One row: the newest position and the last that was removed, each with its hash; 0 and '' for none. */
  event_head: {
    position: number;
    hash: string;
    removed_position: number;
    removed_hash: string;
    /** See `EventHead`. */
    latest_id: string;
    lag: number;
  };
  /** How many refusals of one kind there were in an hour. */
  refusals: {
    /** The next three columns. */
    key: string;
    /** `YYYY-MM-DDTHH`. */
    hour: string;
    type: string;
    /** '' for none, or one that is not known. */
    blacklist_id: string;
    total: number;
  };
}

/** See `EventRecord`. */
export interface EventColumns {
  id: string;
  time: string;
  type: string;
  error: string;
  /** Of the target. */
  project_id: string;
  actor_project_id: string;
  caller_project_id: string;
  user_id: string;
  origin: string;
  request_id: string;
  address: string;
  target_kind: string;
  target_id: string;
  target_name: string;
  data: string;
  key_id: string;
  mac: string;
  /** 1 if its projects may see it. */
  shown: number;
}
