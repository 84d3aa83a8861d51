/** Holds the events against what is stored: each change has exactly one event, and each event its change. */
import type { Ledger } from './ledger.ts';

/** As `zonewarden events --json` prints it. */
interface Event {
  readonly position: number;
  readonly type: string;
  readonly target: { readonly id: string | null };
}

/** A zone as the API shows it. */
interface StoredZone {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  /** 1 for a new one; each change of the zone or of a recordset raises it. */
  readonly version: number;
}

export interface Stored {
  readonly zones: readonly StoredZone[];
  readonly blacklists: readonly { readonly id: string }[];
  /** Zones that were created by an acknowledged request, and are gone by another. */
  readonly gone: readonly { readonly id: string; readonly name: string }[];
}

const CHECK = 'an event too few or too many';
const OF_CONTENTS = /^(zone\.(changed|restored)|recordset\.(created|changed|deleted)|recordsets\.changed)$/;

/** How many events of a type each target has. */
class Tally {
  readonly #counts = new Map<string, number>();

  constructor(events: readonly Event[], isMeant: (type: string) => boolean) {
    for (const { type, target } of events) {
      if (!isMeant(type) || target.id === null) continue;
      this.#counts.set(target.id, (this.#counts.get(target.id) ?? 0) + 1);
    }
  }

  of(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  entries() {
    return this.#counts.entries();
  }
}

/** What is there was created once, and restored as often as it was deleted; whatever else was created was deleted once more. */
function requireLives(
  ledger: Ledger,
  noun: string,
  events: readonly Event[],
  there: ReadonlySet<string>,
): void {
  // A zone whose name matches a pattern in warn or audit has the other one.
  const ofCreation = [`${noun}.created`, `${noun}.created_noted`];
  const created = new Tally(events, (type) => ofCreation.includes(type));
  const deleted = new Tally(events, (type) => type === `${noun}.deleted`);
  const restored = new Tally(events, (type) => type === `${noun}.restored`);
  for (const id of new Set([...there, ...[...created.entries()].map(([one]) => one)])) {
    const found = `${created.of(id)} and ${deleted.of(id)}`;
    const expected = `1 and ${restored.of(id) + (there.has(id) ? 0 : 1)}`;
    ledger.require(CHECK, found === expected, () => {
      return `the ${noun} ${id} has ${found} events of its creation and its deletion, not ${expected}`;
    });
  }
}

/** @param printed one event a line, the oldest first */
export function requireEvents(ledger: Ledger, printed: string, stored: Stored): void {
  const lines = printed.split('\n').filter((line) => line !== '');
  const events = lines.map((line): Event => JSON.parse(line));
  const gap = events.find(({ position }, place) => position !== place + 1);
  ledger.require(CHECK, gap === undefined, () => `no event has the position before ${gap?.position}`);
  const staying = stored.zones.filter(({ action }) => action !== 'DELETE');
  requireLives(ledger, 'zone', events, new Set(staying.map(({ id }) => id)));
  requireLives(ledger, 'blacklist', events, new Set(stored.blacklists.map(({ id }) => id)));
  const changes = new Tally(events, (type) => OF_CONTENTS.test(type));
  for (const { id, name, version } of staying) {
    const expected = version - 1;
    ledger.require(CHECK, changes.of(id) === expected, () => {
      return `${name} has ${changes.of(id)} events of changes, and was changed ${expected} times`;
    });
  }
  const deleted = new Tally(events, (type) => type === 'zone.deleted');
  for (const { id, name } of stored.gone) {
    ledger.require(CHECK, deleted.of(id) === 1, () => `${name} is gone with ${deleted.of(id)} events`);
  }
}
