/** Records of a zone file that a DNSSEC signer generated. */
import type { OwnerName } from '../names.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import type { SignerType, StoredType } from '../record-types.ts';
import type { RecordsetTable } from './recordset-table.ts';
import { SkippedLines } from './skipped.ts';

/** Key types at the apex of a signed zone. Stale records would ask the parent for old keys (RFC 7344). */
const KEY_TYPES: ReadonlySet<StoredType> = new Set(['CDNSKEY', 'CDS', 'DNSKEY']);

function keysOf(table: RecordsetTable, zone: OwnerName): number[] {
  return table.at(zone).filter((one) => KEY_TYPES.has(table.type(one)));
}

export class SignedRecords {
  readonly lines = new SkippedLines();
  readonly #skips: boolean;
  #hasSignatures = false;

  /** @param skips true to skip such records; otherwise they are faults */
  constructor(skips: boolean) {
    this.#skips = skips;
  }

  /**
   * Adds a record that a signer generated.
   * @param name undefined if the line that names it has a fault
   * @throws RdataError if such records are not skipped
   */
  add(type: SignerType, name: OwnerName | undefined, line: number): void {
    if (!this.#skips) {
      throw new RdataError(
        `A DNSSEC signer generates ${type} records, and the next change makes them stale. Remove the record.`,
      );
    }
    if (type === 'RRSIG') this.#hasSignatures = true;
    if (name !== undefined) this.lines.add({ line, name });
  }

  /** Whether the recordset may hold a signer's keys at the apex; only an RRSIG elsewhere in the file can tell. */
  mayBeKey(table: RecordsetTable, recordset: number, zone: OwnerName): boolean {
    return this.#skips && KEY_TYPES.has(table.type(recordset)) && table.name(recordset) === zone;
  }

  /** At the end of the file: skips the keys at the apex if there are signatures, otherwise includes them. */
  settleKeys(table: RecordsetTable, zone: OwnerName): void {
    for (const recordset of keysOf(table, zone)) {
      if (this.#hasSignatures) {
        this.lines.add({ line: table.line(recordset), name: zone }, table.count(recordset));
      } else table.takeIn(recordset);
    }
  }
}
