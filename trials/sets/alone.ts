/** What holds for a set that nobody else's change meets. */
import type { Change } from '../../test/support/change-sets.ts';
import type { Random } from '../../test/support/random.ts';
import { drawLikelySet, drawSet, shuffled } from './draw.ts';
import { type Ask, requireEqual, type SetAnswer, SetZone, Violation } from './zone.ts';

export interface SetCounts {
  /** Sets that were drawn. */
  sets: number;
  made: number;
  refused: number;
  /** Made and taken back. */
  undone: number;
  /** Made, and not to be taken back: a rule that does not look at what stays is against what was there before. */
  kept: number;
  /** Compared with the same changes one after another. */
  compared: number;
}

export function noCounts(): SetCounts {
  return { sets: 0, made: 0, refused: 0, undone: 0, kept: 0, compared: 0 };
}

interface Listed {
  readonly positions: readonly number[];
}

/** An answer without what depends on the order of the changes, or on the clock. */
export function timeless({ status, json }: SetAnswer): unknown {
  if (status >= 300) return { status, type: json.type };
  const { id, from_serial, to_serial, links, zone_id, ...rest } = json;
  return { ...rest, changes: rest.changes.map(({ positions, ...one }: Listed) => one) };
}

/** New contents leave the records of a set in their order. */
const inNoOrder = (file: string): readonly string[] => file.split('\n').sort();

function isConflict({ status, json }: SetAnswer): boolean {
  return status === 400 && json.type === 'invalid_object';
}

/** An address stays below a new delegation that has no use for it, but it cannot be made there. */
function isNotAllowedThere({ status, json }: SetAnswer): boolean {
  return status === 400 && json.type === 'invalid_recordset_location';
}

/** A zone of one client, and another one with the same contents. */
export class LoneZone {
  readonly #random: Random;
  readonly #zone: SetZone;
  readonly #twin: SetZone;
  readonly counts = noCounts();
  #empty = '';
  #file = '';

  private constructor(random: Random, zone: SetZone, twin: SetZone) {
    this.#random = random;
    this.#zone = zone;
    this.#twin = twin;
  }

  static async create(ask: Ask, random: Random, label: string): Promise<LoneZone> {
    const zone = await SetZone.create(ask, `${label}.example.`);
    const own = new LoneZone(random, zone, await SetZone.create(ask, `${label}-twin.example.`));
    own.#empty = await zone.file();
    own.#file = own.#empty;
    return own;
  }

  async trySet(): Promise<void> {
    const random = this.#random;
    const changes = random.chance(0.5) ? drawSet(random) : drawLikelySet(random);
    this.counts.sets += 1;
    const before = this.#file;
    const answer = await this.#planned(changes);
    this.#file = await this.#zone.file();
    if (answer.status >= 300) requireEqual('A refused set changed the zone', this.#file, before, changes);
    await this.#compare(changes, answer);
    if (answer.status >= 300) this.counts.refused += 1;
    else await this.#undo(changes, answer, before);
  }

  /** Looks at the set in two orders, and makes it. */
  async #planned(changes: readonly Change[]): Promise<SetAnswer> {
    const dry = await this.#zone.send(changes, { dry_run: true });
    const other = await this.#zone.send(shuffled(this.#random, changes), { dry_run: true });
    requireEqual('Another order is answered otherwise', timeless(other), timeless(dry), changes);
    const isPlanned = dry.status === 200 && dry.json.status !== 'REFUSED';
    const made = await this.#zone.send(changes, isPlanned ? { plan: dry.json.plan } : {});
    const kind = (isMade: boolean) => (isMade ? 'is made' : 'is refused');
    requireEqual('What a dry run shows', kind(made.status < 300), kind(isPlanned), {
      changes,
      dry: dry.json,
      made: made.json,
    });
    if (isPlanned) requireEqual('The effects', effectsOf(made), effectsOf(dry), changes);
    return made;
  }

  /** Makes the same changes in the other zone one after another. Then the two have the same contents again. */
  async #compare(changes: readonly Change[], together: SetAnswer): Promise<void> {
    let isMade = true;
    for (const change of changes) {
      const { status } = await this.#twin.send([change]);
      isMade = status < 300;
      if (!isMade) break;
    }
    if (isMade && !isConflict(together)) {
      this.counts.compared += 1;
      requireEqual('One after another', inNoOrder(await this.#twin.file()), inNoOrder(this.#file), {
        changes,
        together: together.json,
      });
    } else await this.#align();
  }

  async #align(): Promise<void> {
    const answer = await this.#twin.makeLike(this.#file);
    if (isNotAllowedThere(answer)) {
      await this.#zone.makeLike(this.#empty);
      this.#file = this.#empty;
      return this.#align();
    }
    if (answer.status >= 300) throw new Violation(`PUT of contents: ${answer.status} ${answer.text}`);
    requireEqual(
      'The contents that were put',
      inNoOrder(await this.#twin.file()),
      inNoOrder(this.#file),
      'PUT',
    );
  }

  /** Takes a set back, and often makes it again. */
  async #undo(changes: readonly Change[], { json }: SetAnswer, before: string): Promise<void> {
    this.counts.made += 1;
    if (json.id === null) return requireEqual('A set of nothing', this.#file, before, changes);
    const after = this.#file;
    // Another order of records, or other words, are no new serial.
    const isRevert = json.to_serial === json.from_serial || this.#random.chance(0.5);
    const undone = await (isRevert ? this.#zone.revert(json.id) : this.#zone.restore(json.from_serial));
    const how = { changes, how: isRevert ? 'revert' : 'restore', json, undone: undone.json };
    if (isNotAllowedThere(undone)) {
      this.counts.kept += 1;
      return requireEqual('What is refused to be taken back', await this.#zone.file(), after, how);
    }
    this.counts.undone += 1;
    requireEqual('The former zone file', await this.#zone.file(), before, how);
    if (undone.json.id !== null && this.#random.chance(0.7)) {
      const again = await this.#zone.revert(undone.json.id);
      requireEqual('What was taken back twice', await this.#zone.file(), after, {
        ...how,
        again: again.json,
      });
      return;
    }
    this.#file = before;
    await this.#align();
  }
}

interface ShownEffect {
  readonly effect: string;
  readonly recordset_id: string | null;
  readonly warnings: readonly { readonly guardrail: string }[];
}

/** What a set changes, and which guardrails warn: what they say names records that others may change meanwhile. */
export function effectsOf({ json }: SetAnswer): unknown {
  return json.changes
    .filter(({ effect }: ShownEffect) => effect !== 'unchanged')
    .map((one: ShownEffect) => ({
      ...one,
      recordset_id: one.effect === 'create' ? null : one.recordset_id,
      warnings: one.warnings.map(({ guardrail }) => guardrail),
    }));
}
