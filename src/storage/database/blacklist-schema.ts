import type { Generated } from 'kysely';
import type { ListTask, ListTaskKind } from '../../model/blacklist-lists/list-task.ts';
import type { Mode } from '../../model/blacklists/blacklist.ts';

/** The tables of the blacklists. */
export interface BlacklistSchema {
  /** One row: the revision of the blacklists. */
  blacklist_revision: { revision: number };
  /** Fixed rows: a create or move of a zone locks one of them, a pattern change locks all. */
  name_gates: { gate: number };
  blacklists: {
    id: string;
    /** The revision that added the pattern. */
    number: number;
    pattern: string;
    /** SHA-256, hexadecimal: a text of 4,096 characters is too long for a unique index. */
    pattern_hash: string;
    /** The first 200 characters of the pattern, for sorting. */
    pattern_start: string;
    description: string | null;
    created_at: string;
    updated_at: string;
    /** How many checks of names ended because this pattern exhausted the budget, and the time of the last. */
    exhausted_count: number;
    exhausted_at: string;
    mode: Mode;
    expires_at: string;
    /** A JSON list. */
    exceptions: string;
    /** 1 once it has been told that the entry has expired; it is in no index then. */
    ended: Generated<number>;
    hits_refused: Generated<number>;
    hits_warned: Generated<number>;
    hits_audited: Generated<number>;
    hits_at: Generated<string>;
    /** The task that brings it, and the one that takes it away; 0 for none. What an open task brings is not there yet. */
    arrives: Generated<number>;
    leaves: Generated<number>;
    /** 1 if it is held by hand, besides the lists that hold it. */
    by_hand: Generated<number>;
    /** The event that brought it; '' for that of the task. */
    event_id: Generated<string>;
  };
  blacklist_lists: {
    name: string;
    created_at: string;
    updated_at: string;
    /** How many blacklists it holds. */
    entries: number;
    /** Of the last file. */
    sha256: string;
    /** The last event. */
    event_id: string;
  };
  /** Which lists hold which blacklists. */
  blacklist_holders: {
    /** The name of the list, a slash, and the id of the blacklist: those of a list lie together. */
    key: string;
    /** '' for what an open task is going to hold by hand. */
    list: string;
    blacklist_id: string;
    /** As those of blacklists. */
    arrives: number;
    leaves: number;
    /** The number of the last sync that has found it in its file. */
    mark: number;
  };
  /** Imports, syncs and removals of lists that are staged. */
  blacklist_tasks: {
    id: string;
    kind: ListTaskKind;
    list: string;
    status: ListTask['status'];
    message: string;
    /** A JSON list. */
    faults: string;
    sha256: string;
    event_id: string;
    project_id: string;
    /** The process that does it, and until when others leave it alone. */
    holder: string;
    held_until: string;
    created_at: string;
    updated_at: string;
    /** What its rows name it by. */
    number: number;
    lines: number;
    added: number;
    present: number;
    kept: number;
    removed: number;
    fault_count: number;
    /** JSON; '' unless it was a dry run. */
    forecast: Generated<string>;
    /** Between which numbers its blacklists are. */
    first: number;
    last: number;
    /** The revision at which what it has staged came to be there; 0 until then. */
    revision: number;
    /** How many of those that it removes have been recorded as removals. */
    swept: number;
    /** 1 once nothing is left to do. */
    is_over: number;
  };
  /** Removed patterns, for indexes that still have them, with the traits under which these have them. */
  blacklist_removals: {
    revision: number;
    number: number;
    pattern: string;
    enforced: number;
    conditional: number;
  };
}
