import type { Generated } from 'kysely';
import type { Mode } from '../domain/blacklists/blacklist.ts';

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
