import type { SlotFor } from '../database/prepared.ts';

/** What a list is restricted to, as values of a statement that is compiled once for each kind of restriction. */
export interface WithinSlots<Within> {
  /** Names the kind: restrictions of one kind differ only in values. */
  kindOf(within: Within): string;
  /** A restriction of the kind of `first`, with slots in place of its values. */
  slots(first: Within, slot: SlotFor<Within>): Within;
}
