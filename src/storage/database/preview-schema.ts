import type { Preview } from '../../model/previews/preview.ts';

/** The tables of previews: the zones that a pattern would have matched. */
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
    /** The last zone checked. */
    at_created: string;
    at_id: string;
    created_at: string;
    updated_at: string;
    ended_at: string;
    /** The project while the preview runs; null after that. Unique. */
    running_for: string | null;
    /** The process that runs the preview. */
    holder: string;
    held_until: string;
  };
  preview_zones: {
    preview_id: string;
    /** ID of the zone. */
    id: string;
    name: string;
    project_id: string;
    undecided: number;
  };
}
