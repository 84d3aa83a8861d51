import type { Scope } from '../access/scope.ts';
import type { Lists } from '../lists.ts';
import type { Label, LabelQuery } from './label.ts';

export interface LabelReads extends Lists<Label, LabelQuery, Scope> {
  find(id: string, scope: Scope): Promise<Label | undefined>;
}

export interface LabelWrites {
  /** Returns false, with nothing stored, if the project has a label with this name. */
  insert(label: Label): Promise<boolean>;
  lock(id: string, scope: Scope): Promise<Label | undefined>;
  remove(id: string): void;
}
