/** Keeps the locations of all recordsets of a zone in memory, so that the location rules need no database. */
import {
  type LocatedRecordset,
  locationFault,
  mayBeSiblingGlue,
  type Surroundings,
} from '../../model/recordsets/recordset-location.ts';

/** The names from the apex of a zone down to a name in it. */
export function namesDownTo(zoneName: string, name: string): readonly string[] {
  if (name === zoneName) return [zoneName];
  const labels = name.slice(0, -zoneName.length - 1).split('.');
  const below = labels.map((_, at) => `${labels.slice(at).join('.')}.${zoneName}`);
  return [zoneName, ...below.reverse()];
}

/** All recordsets of a zone, including the SOA and NS at its apex. */
export class ZoneLayout {
  readonly #zoneName: string;
  readonly #at: (name: string) => readonly LocatedRecordset[];
  readonly #nameServers: ReadonlySet<string>;

  /**
   * @param at returns the recordsets at a name of the zone
   * @param nameServers targets of the zone's delegations that have recordsets in the zone
   */
  constructor(
    zoneName: string,
    at: (name: string) => readonly LocatedRecordset[],
    nameServers: ReadonlySet<string>,
  ) {
    this.#zoneName = zoneName;
    this.#at = at;
    this.#nameServers = nameServers;
  }

  /**
   * Why a recordset conflicts with the others; undefined if it does not. Checking every recordset also finds every
   * hidden one, since a hidden recordset has a fault of its own.
   * @param childZones names of the separate zones below this one
   */
  fault(placed: LocatedRecordset, childZones: ReadonlySet<string> = new Set()): string | undefined {
    const isInside = placed.name === this.#zoneName || placed.name.endsWith(`.${this.#zoneName}`);
    const names = isInside ? namesDownTo(this.#zoneName, placed.name) : [];
    const zoneName = this.#zoneName;
    const atOrAbove = names.flatMap((name) => this.#at(name));
    const around: Surroundings = {
      zoneName,
      atOrAbove,
      isNamedElsewhere:
        mayBeSiblingGlue(placed, { zoneName, atOrAbove }) && this.#nameServers.has(placed.name),
      childZone: names.slice(1).find((name) => childZones.has(name)),
    };
    return locationFault(placed, around);
  }
}
