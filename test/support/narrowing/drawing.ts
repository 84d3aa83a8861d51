/** Draws what requests are about: most often what the narrower credential may read, and what is there. */
import type { Random } from '../random.ts';
import { drawPlace, type Marks, type Place, type PlannedZone, ZONES } from './alphabet.ts';
import { type DrawnScope, readsPlace, readsZone } from './scopes.ts';

/** Chances, and attempts, to draw what can be read. */
const READABLE = 0.75;
const STORED = 0.6;
const ATTEMPTS = 20;

export class Drawing {
  readonly random: Random;
  readonly marks: Marks;
  /** The scope of the narrower credential. */
  readonly scope: DrawnScope;

  constructor(random: Random, marks: Marks, scope: DrawnScope) {
    this.random = random;
    this.marks = marks;
    this.scope = scope;
  }

  zone(zones = ZONES): PlannedZone {
    return this.#likely(
      () => this.random.pick(zones),
      (zone) => readsZone(this.scope, zone),
    );
  }

  /** @param zones one of them is drawn */
  place(zones = ZONES): Place {
    const draw = () => {
      const stored = this.marks.pickPlace(this.random);
      return this.random.chance(STORED) && zones.includes(stored.zone)
        ? stored
        : drawPlace(this.random, zones);
    };
    return this.#likely(draw, (place) => readsPlace(this.scope, place));
  }

  #likely<T>(draw: () => T, isReadable: (one: T) => boolean): T {
    let drawn = draw();
    if (!this.random.chance(READABLE)) return drawn;
    for (let left = ATTEMPTS; left > 0 && !isReadable(drawn); left -= 1) drawn = draw();
    return drawn;
  }
}
