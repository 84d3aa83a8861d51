/** Resolves names line by line: tracks the origin, the zone, and the owner that the next line may inherit. */
import type { OwnerName } from '../names.ts';
import { parseOwnerName } from '../owner-name.ts';
import { readDomainName } from '../rdata/domain-name.ts';
import type { RdataFields } from '../rdata/fields.ts';
import { RdataError, shown } from '../rdata/rdata-error.ts';
import type { RdataToken } from '../rdata/tokens.ts';
import type { ZoneFileEntry } from './entries.ts';
import { requireWord } from './head.ts';

/** Replaces an unknown origin, so that relative names can still be read. */
const UNKNOWN_ORIGIN = 'origin.invalid.';

/** The names in force. After a fault it remains usable without reporting spurious faults. */
export class NamesInForce {
  /** The origin of relative names. */
  #origin: string | null;
  /** The zone name, once known: given, or the owner of the SOA. */
  #zone: string | null;
  #owner: OwnerName | undefined;
  #ownerText: string | undefined;
  /** True if the line that named the owner has a fault: the owner of lines that inherit it is unknown. */
  #isOwnerLost = false;
  /** True after a fault in an origin: which names are in the zone is unknown. */
  isOriginLost = false;

  constructor(origin: string | null) {
    this.#origin = origin;
    this.#zone = origin;
  }

  get origin(): string | null {
    return this.#origin;
  }

  get zone(): string | null {
    return this.#zone;
  }

  /** Called for an unreadable line, which may have named an owner. */
  loseOwner(): void {
    this.#isOwnerLost = true;
  }

  /** The owner of a record, or undefined if the line that names it has a fault. @throws RdataError */
  ownerOf({ inheritsOwner, tokens }: ZoneFileEntry): OwnerName | undefined {
    if (!inheritsOwner) {
      this.#isOwnerLost = true;
      this.#readOwner(tokens[0]!);
      this.#isOwnerLost = false;
    }
    if (this.#isOwnerLost) return undefined;
    if (this.#owner !== undefined) return this.#owner;
    this.#isOwnerLost = true;
    throw new RdataError(
      'The line begins with a blank, but there is no record before it. Write the owner name.',
    );
  }

  /** Reads the origin of a $ORIGIN. @throws RdataError */
  readOrigin(fields: RdataFields): void {
    try {
      this.#ownerText = undefined;
      this.#origin = readDomainName(fields.takeWord('origin'), this.#origin).text;
    } catch (error) {
      this.#loseOrigin();
      throw error;
    }
  }

  /** Sets the zone to the owner of the SOA, even if its rdata has a fault. */
  findZone(name: OwnerName): void {
    this.#zone ??= name;
    this.#origin ??= name;
  }

  /** Why a name is outside the zone; undefined if it is inside, or if that is unknown. */
  outsideZone(name: string): string | undefined {
    if (this.isOriginLost || name === this.#zone || name.endsWith(`.${this.#zone}`)) return undefined;
    return (
      `The name ${shown(name)} is outside the zone ${shown(this.#zone ?? '')}. Remove the record, or end the name ` +
      'without a dot if it is relative.'
    );
  }

  /** Relative names have no known origin until the next $ORIGIN. */
  #loseOrigin(): void {
    this.#origin = UNKNOWN_ORIGIN;
    this.#ownerText = undefined;
    this.isOriginLost = true;
  }

  #readOwner(token: RdataToken): void {
    const text = requireWord(token);
    if (text === this.#ownerText) return;
    if (this.#origin === null && !text.endsWith('.')) {
      this.#loseOrigin();
      throw new RdataError(
        `The name ${shown(text)} is relative, but there is no origin. Add an $ORIGIN line before it.`,
      );
    }
    const owner = parseOwnerName(readDomainName(text, this.#origin).text);
    if (!owner.ok) throw new RdataError(owner.reason);
    this.#owner = owner.value;
    this.#ownerText = text;
  }
}
