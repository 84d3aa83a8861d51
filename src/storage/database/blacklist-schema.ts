import type { Generated } from 'kysely';
import type { ListTask, ListTaskKind } from '../../model/blacklist-lists/list-task.ts';
import type { Mode } from '../../model/blacklists/blacklist.ts';

/** The tables of the blacklists. */
export interface BlacklistSchema {
  /** One row: the blacklist revision. */
  blacklist_revision: { revision: number };
  /** Fixed rows: creating or moving a zone locks one of them, changing a pattern locks all. */
  name_gates: { gate: number };
  blacklists: {
    id: string;
    /** The revision that added the pattern. */
    number: number;
    pattern: string;
    /** SHA-256, hexadecimal: a pattern of up to 4,096 characters is too long for a unique index. */
    pattern_hash: string;
    /** The first 200 characters of the pattern, for sorting. */
    pattern_start: string;
    description: string | null;
    created_at: string;
    updated_at: string;
    /** Number of name checks that ended because this pattern exhausted the budget, and the time of the last. */
    exhausted_count: number;
    exhausted_at: string;
    mode: Mode;
    expires_at: string;
    /** A JSON array. */
    exceptions: string;
    /** 1 once the expiry has been recorded; the entry is in no index then. */
    ended: Generated<number>;
    hits_refused: Generated<number>;
    hits_warned: Generated<number>;
    hits_audited: Generated<number>;
    hits_at: Generated<string>;
    /**
     * The tasks that add and remove the entry; 0 for none. An added entry is not visible until its task is published.
     */
    arrives: Generated<number>;
    leaves: Generated<number>;
    /** 1 if the entry was also added by hand, not only by lists. */
    by_hand: Generated<number>;
    /** The event that recorded the addition; '' for the event of the task. */
    event_id: Generated<string>;
  };
  blacklist_lists: {
    name: string;
    created_at: string;
    updated_at: string;
    /** Number of blacklists that the list holds. */
    entries: number;
    /** Hash of the last file. */
    sha256: string;
    /** ID of the last event. */
    event_id: string;
  };
  /** Which list holds which blacklist. */
  blacklist_holders: {
    /** The name of the list, a slash, and the id of the blacklist, so that the rows of a list are adjacent. */
    key: string;
    /** '' for an entry that an open task will hold by hand. */
    list: string;
    blacklist_id: string;
    /** See `blacklists`. */
    arrives: number;
    leaves: number;
    /** Number of the last sync that found the entry in its file. */
    mark: number;
  };
  /** Staged imports, syncs and removals of lists. */
  blacklist_tasks: {
    id: string;
    kind: ListTaskKind;
    list: string;
    status: ListTask['status'];
    message: string;
    /** A JSON array. */
    faults: string;
    sha256: string;
    event_id: string;
    project_id: string;
    /** The process that runs the task, and the time until which no other process takes it over. */
    holder: string;
    held_until: string;
    created_at: string;
    updated_at: string;
    /** Identifies the task in the rows that it stages. */
    number: number;
    lines: number;
    added: number;
    present: number;
    kept: number;
    removed: number;
    fault_count: number;
    /** JSON; '' unless the task was a dry run. */
    forecast: Generated<string>;
    /** The range of the numbers of its blacklists. */
    first: number;
    last: number;
    /** The revision at which the staged changes took effect; 0 until then. */
    revision: number;
    /** Number of removed entries that have been recorded as removals. */
    swept: number;
    /** 1 once nothing is left to do. */
    is_over: number;
  };
  /** Removed patterns that indexes may still hold, with the traits they have there. */
  blacklist_removals: {
    revision: number;
    number: number;
    pattern: string;
    enforced: number;
    conditional: number;
  };
}
