import type { Preview } from '../../model/previews/preview.ts';

/** The tables of previews: what a pattern would have hit. */
export interface PreviewSchema {
  previews: {
    id: string;
    project_id: string;
    pattern: string;
    mode: Preview['mode'];
    /** '' for none. */
    blacklist_id: string;
    status: Preview['status'];
    message: string;
    /** JSON arrays. */
    faults: string;
    warnings: string;
    total: number;
    seen: number;
    matched: number;
    undecided: number;
    kept: number;
    /** The last zone that was looked at. */
    at_created: string;
    at_id: string;
    created_at: string;
    updated_at: string;
    ended_at: string;
    /** The project, while it runs; null after that. No two are the same. */
    running_for: string | null;
    /** The process that is at it. */
    holder: string;
    held_until: string;
  };
  preview_zones: {
    preview_id: string;
    /** Of the zone. */
    id: string;
    name: string;
    project_id: string;
    undecided: number;
  };
}
