import type { WrittenEvent } from '../../model/events/stored-event.ts';

/** The event tables. */
export interface EventSchema {
  /** Committed events without a position. */
  event_queue: WrittenEvent;
  /** Sealed events. */
  events: EventColumns & { position: number; hash: string };
  /** One row: the newest and the last removed position, each with its hash; 0 and '' for none. */
  event_head: {
    position: number;
    hash: string;
    removed_position: number;
    removed_hash: string;
    /** See `EventHead`. */
    latest_id: string;
    lag: number;
  };
  /** Number of refusals per kind and hour. */
  refusals: {
    /** Concatenates the next three columns. */
    key: string;
    /** `YYYY-MM-DDTHH`. */
    hour: string;
    type: string;
    /** '' if there is none, or if the hour has more blacklists than are counted separately. */
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
  /** Project of the target. */
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
  /** 1 if the event is visible to its projects. */
  shown: number;
}
