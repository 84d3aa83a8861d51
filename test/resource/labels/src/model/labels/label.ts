import type { ListQuery } from '../lists.ts';
import { textFault } from '../text.ts';

/** A note of a project under a name. */
export interface Label {
  readonly id: string;
  readonly projectId: string;
  /** Unique in the project. */
  readonly name: string;
  readonly text: string;
  readonly createdAt: string;
}

export const LABEL_SORT_KEYS = ['created_at', 'id', 'name'] as const;
export const LABEL_FILTERS = ['name'] as const;
export type LabelQuery = ListQuery<(typeof LABEL_SORT_KEYS)[number], (typeof LABEL_FILTERS)[number]>;

/** Why a text is not a valid name, or undefined. */
export function labelNameFault(text: string): string | undefined {
  return textFault(text, { min: 1, max: 64 });
}
