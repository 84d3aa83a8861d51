/** The few zones, names and types of which scopes and requests are drawn, so that many meet. */
import type { Random } from '../random.ts';

/** In texts, the label that two alike copies of the state differ in. */
export const LABEL = 'LABEL';

export interface PlannedZone {
  readonly key: string;
  /** With `LABEL`. */
  readonly name: string;
  /** Zones of the other project are shared, or hidden from everybody. */
  readonly owner: 'own' | 'other';
  readonly isShared?: true;
}

export const ZONES: readonly PlannedZone[] = [
  { key: 'a', name: `a.${LABEL}.example.`, owner: 'own' },
  { key: 'b', name: `b.${LABEL}.example.`, owner: 'own' },
  { key: 'c', name: `c.b.${LABEL}.example.`, owner: 'own' },
  { key: 'd', name: `d.${LABEL}.test.`, owner: 'own' },
  { key: 's', name: `s.${LABEL}.example.`, owner: 'other', isShared: true },
  { key: 'o', name: `o.${LABEL}.example.`, owner: 'other' },
];
/** Zones that requests create. */
export const NEW_ZONES: readonly PlannedZone[] = [
  { key: 'n', name: `n.${LABEL}.example.`, owner: 'own' },
  { key: 'm', name: `m.a.${LABEL}.example.`, owner: 'own' },
];
export const ALL_ZONES = [...ZONES, ...NEW_ZONES];

export const zoneOf = (key: string): PlannedZone => ALL_ZONES.find((zone) => zone.key === key)!;

export const NAMES = ['@', 'www', 'a', '_acme', '*', 'a.www', 'b.www', 'www.a', '_acme.www', '*.a'];
/** A CNAME stands alone, so that there are few. */
export const TYPES = ['A', 'A', 'A', 'TXT', 'TXT', 'TXT', 'MX', 'MX', 'CNAME'];

/** Where a recordset is. */
export interface Place {
  readonly zone: PlannedZone;
  /** Relative to the apex. */
  readonly name: string;
  readonly type: string;
}

export const fullName = (zone: PlannedZone, name: string): string =>
  name === '@' ? zone.name : `${name}.${zone.name}`;

export function drawPlace(random: Random, zones = ZONES): Place {
  return { zone: random.pick(zones), name: random.pick(NAMES), type: random.pick(TYPES) };
}

const MARKS = /mark\d+\.example|10\.77\.\d+\.\d+/g;

/** Record data that are found nowhere else. */
export class Marks {
  readonly #places = new Map<string, Place>();

  /** A record with a new mark. */
  recordAt(place: Place): string {
    const number = this.#places.size + 1;
    const mark = place.type === 'A' ? `10.77.${number >> 8}.${number & 255}` : `mark${number}.example`;
    this.#places.set(mark, place);
    if (place.type === 'A') return mark;
    return place.type === 'TXT' ? `"${mark}"` : `${place.type === 'MX' ? '10 ' : ''}${mark}.`;
  }

  /** The marks in a text, and their places. */
  in(text: string): readonly (readonly [string, Place])[] {
    return [...new Set(text.match(MARKS))].flatMap((mark) => {
      const place = this.#places.get(mark);
      return place === undefined ? [] : [[mark, place] as const];
    });
  }

  pickPlace(random: Random): Place {
    return random.pick([...this.#places.values()]);
  }

  pick(random: Random): string {
    return random.pick([...this.#places.keys()]);
  }
}
