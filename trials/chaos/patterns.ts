import type { Mode } from '../../src/model/blacklists/blacklist.ts';
import type { Ledger } from './ledger.ts';
import type { Presence, Zone } from './model.ts';

/** The names of one group: all that a pattern of it blocks. */
export const GROUPS = 16;

/** A pattern as it may be stored. */
export interface Pattern {
  readonly text: string;
  readonly group: number;
  /** Only one in enforce is ever in force: one in warn or audit refuses nothing. */
  readonly mode: Mode;
}

/** What is stored of a pattern, beside its text. */
export interface StoredPattern {
  readonly id: string;
  readonly mode: Mode;
}

/** A time, and the group of names that was blocked throughout it. */
interface Window {
  readonly group: number;
  readonly from: number;
  to: number;
}

/** The zones of a group as they were read after its pattern had been acknowledged: none may be added to them. */
interface Snapshot {
  readonly window: Window;
  readonly names: ReadonlySet<string>;
}

/** A place for one pattern at a time. */
export interface Slot {
  id: string | undefined;
  presence: Presence;
  /** What may stand there. */
  possible: Pattern[];
  isBusy: boolean;
  /** Certainly in force, of the one that stands there. */
  certain: Window | undefined;
  /** Perhaps in force; of all that may stand there. */
  perhaps: Map<string, Window>;
}

/** A pattern of one of several kinds that blocks exactly the names of a group. */
export function textOf(group: number, kind: number, tag: string): string {
  const kinds = [
    `^n[0-9]+-g${group}\\.(?#${tag})`,
    `(?:^|\\.)N\\d+(?=-g${group}\\.)(?#${tag})`,
    `^(n)\\d+-g${group}\\.(?!\\1\\1)(?#${tag})`,
    `^(?:${tag}|n[^.-]+-g${group})\\.`,
  ];
  return kinds[kind % kinds.length]!;
}

const isEnforced = (pattern: Pattern | undefined): boolean => pattern?.mode === 'enforce';

/** When which names were blocked, as far as that is known. */
export class Patterns {
  readonly slots: readonly Slot[];
  #certain: Window[] = [];
  #perhaps: Window[] = [];
  #snapshots: Snapshot[] = [];
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, slots: number) {
    this.#ledger = ledger;
    this.slots = Array.from({ length: slots }, () => ({
      id: undefined,
      presence: 'gone',
      possible: [],
      isBusy: false,
      certain: undefined,
      perhaps: new Map(),
    }));
  }

  /** Before a pattern is sent, or turned to enforce: from now on it may be in force. */
  mayBegin(slot: Slot, pattern: Pattern): void {
    if (!isEnforced(pattern)) return;
    const { text, group } = pattern;
    const window = { group, from: this.#ledger.now(), to: Number.POSITIVE_INFINITY };
    slot.perhaps.set(text, window);
    this.#perhaps.push(window);
  }

  /** After its acknowledgement: from now on it is in force. */
  begins(slot: Slot, pattern: Pattern, from: number): void {
    if (!isEnforced(pattern)) return;
    slot.certain = { group: pattern.group, from, to: Number.POSITIVE_INFINITY };
    this.#certain.push(slot.certain);
  }

  /** After the acknowledgement of a change. */
  becomes(slot: Slot, before: Pattern, after: Pattern, from: number): void {
    if (before.text !== after.text || !isEnforced(after)) this.ends(slot, before.text);
    this.begins(slot, after, from);
    slot.possible = [after];
  }

  /** Before it is changed or taken away: from now on it may be out of force. */
  mayEnd(slot: Slot, zones: Iterable<Zone>): void {
    if (slot.certain === undefined) return;
    this.#judgeSnapshots(zones, slot.certain);
    slot.certain.to = this.#ledger.now();
    slot.certain = undefined;
  }

  /** After that was acknowledged: it is out of force. */
  ends(slot: Slot, text: string): void {
    const window = slot.perhaps.get(text);
    if (window !== undefined) window.to = this.#ledger.now();
    slot.perhaps.delete(text);
  }

  keepSnapshot(window: Window, names: ReadonlySet<string>): void {
    // It may have left force while the list was read.
    if (window.to === Number.POSITIVE_INFINITY) this.#snapshots.push({ window, names });
  }

  #judgeSnapshots(zones: Iterable<Zone>, only?: Window): void {
    const chosen = this.#snapshots.filter(({ window }) => only === undefined || window === only);
    if (only !== undefined) this.#snapshots = this.#snapshots.filter(({ window }) => window !== only);
    if (chosen.length === 0) return;
    for (const { name, group, presence } of zones) {
      if (presence !== 'there') continue;
      for (const { window, names } of chosen) {
        if (window.group !== group) continue;
        this.#ledger.require('created although blacklisted', names.has(name), () => {
          return `${name} was not there when it was looked for after the pattern of group ${group} had been acknowledged at ${window.from}`;
        });
      }
    }
  }

  /** A zone of the group was made at some time between the two: no pattern may have been in force throughout. */
  requireFree({ name, group }: Pick<Zone, 'name' | 'group'>, begin: number, end: number): void {
    if (group === undefined) return;
    const window = this.#certain.find((one) => one.group === group && one.from <= begin && one.to >= end);
    this.#ledger.require('created although blacklisted', window === undefined, () => {
      return `${name}, asked for at ${begin}, made by ${end}; acknowledged at ${window!.from}, in force to ${window!.to}`;
    });
  }

  /** A name of the group was called blacklisted at some time between the two. */
  requireBlocked({ name, group }: Pick<Zone, 'name' | 'group'>, begin: number, end: number): void {
    const window = this.#perhaps.find((one) => one.group === group && one.from <= end && one.to >= begin);
    this.#ledger.require(
      'refused although free',
      window !== undefined,
      () => `${name} at ${begin} to ${end}`,
    );
  }

  /**
   * Holds what is stored against what may be, when nothing is under way, and takes it for the truth from then on.
   * @param stored every pattern, by its text
   */
  settle(stored: ReadonlyMap<string, StoredPattern>, zones: readonly Zone[]): void {
    this.#judgeSnapshots(zones);
    const rest = new Map(stored);
    for (const slot of this.slots) this.#settleSlot(slot, rest);
    for (const text of rest.keys()) this.#ledger.fault('not as written', `the pattern ${text} is stored`);
    this.#certain = this.#certain.filter(({ to }) => to === Number.POSITIVE_INFINITY);
    this.#perhaps = this.#perhaps.filter(({ to }) => to === Number.POSITIVE_INFINITY);
  }

  #settleSlot(slot: Slot, rest: Map<string, StoredPattern>): void {
    const found = this.#standing(slot, rest);
    for (const [text] of slot.perhaps) {
      if (text !== found?.text || !isEnforced(found)) this.ends(slot, text);
    }
    slot.presence = found === undefined ? 'gone' : 'there';
    slot.possible = found === undefined ? [] : [found];
    slot.isBusy = false;
    if (found === undefined || !isEnforced(found)) this.#isOutOfForce(slot);
    else if (slot.certain === undefined) this.begins(slot, found, this.#ledger.now());
  }

  /** What stands there of what is stored, and is none of the rest. */
  #standing(slot: Slot, rest: Map<string, StoredPattern>): Pattern | undefined {
    const known = slot.possible.find(({ text }) => rest.has(text));
    const stored = known && rest.get(known.text);
    this.#requirePossible(slot, stored?.id);
    slot.id = stored?.id;
    if (stored === undefined) return undefined;
    const { text, group } = known!;
    rest.delete(text);
    const modes = slot.possible.filter((one) => one.text === text).map(({ mode }) => mode);
    this.#ledger.require('not as written', modes.includes(stored.mode), () => {
      return `the pattern ${text} is in ${stored.mode}, not in ${modes.join(' or ')}`;
    });
    return { text, group, mode: stored.mode };
  }

  #isOutOfForce(slot: Slot): void {
    if (slot.certain !== undefined) slot.certain.to = this.#ledger.now();
    slot.certain = undefined;
  }

  /** @param id of what stands there */
  #requirePossible(slot: Slot, id: string | undefined): void {
    const wanted = slot.possible.map(({ text }) => text).join(' or ');
    if (slot.presence === 'there') {
      this.#ledger.require('acknowledged and lost', id !== undefined, () => `the pattern ${wanted}`);
      this.#ledger.require('not as written', slot.id === undefined || slot.id === id, () => {
        return `the pattern ${wanted} has the id ${id}, and had ${slot.id}`;
      });
    }
    if (slot.presence === 'gone') {
      this.#ledger.require('acknowledged and lost', id === undefined, () => `the removal of ${wanted}`);
    }
  }
}
