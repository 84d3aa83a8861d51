import { canonicalName, type OwnerName } from '../names.ts';
import { readRdata } from '../parse-rdata.ts';
import { RdataFields } from '../rdata/fields.ts';
import { soaFields } from '../rdata/hosts.ts';
import { upperAscii } from '../rdata/letter-case.ts';
import { RdataError, shown } from '../rdata/rdata-error.ts';
import type { RdataToken } from '../rdata/tokens.ts';
import { isSignerType, type StoredType } from '../record-types.ts';
import type { Rdata } from '../records-size.ts';
import { refuseDirective } from './directives.ts';
import { EntryReader, type ReadingPause, type ZoneFileEntry, ZoneFileError } from './entries.ts';
import { ZoneFileFaults } from './faults.ts';
import { readHead, type ZoneFileRecordHead } from './head.ts';
import { NamesInForce } from './names-in-force.ts';
import type { ZoneFileEnd, ZoneFileOptions, ZoneFileReading, ZoneFileSoa } from './reading.ts';
import { RecordsetTable } from './recordset-table.ts';
import { SignedRecords } from './signed.ts';
import { SkippedLines } from './skipped.ts';
import { TtlsInForce } from './ttls-in-force.ts';

/** Number of entries or recordsets processed before yielding. */
const OF_A_STEP = 16;

/** Reads one zone file. */
export class ZoneFileReader {
  readonly #entries = new EntryReader();
  readonly #table = new RecordsetTable();
  readonly #names: NamesInForce;
  readonly #goesOn: NonNullable<ZoneFileOptions['goesOn']>;
  readonly #skips: boolean;
  readonly #outside = new SkippedLines();
  readonly #signed: SignedRecords;
  #soa: ZoneFileSoa | undefined;
  readonly #ttls: TtlsInForce;
  readonly #needsSoa: boolean;
  /** True if there are recordsets from before the zone was known, not yet checked to be inside it. */
  #hasUnchecked = false;
  /** The line where `goesOn` stopped the reading. */
  #stoppedAt: number | undefined;
  readonly #faults = new ZoneFileFaults();
  /** True if a fault may have hidden the SOA, or information that a check of all records needs. */
  #isUnsure = false;
  #done = 0;

  constructor(origin: string | null, { goesOn = () => true, skips = false, zoneTtl }: ZoneFileOptions) {
    this.#names = new NamesInForce(origin);
    this.#goesOn = goesOn;
    this.#skips = skips;
    this.#needsSoa = zoneTtl === undefined;
    this.#ttls = new TtlsInForce(zoneTtl);
    this.#signed = new SignedRecords(skips);
  }

  *read(): ZoneFileReading {
    for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
      if (this.#faults.isFull) return this.#faulty();
      if (typeof entry === 'string') {
        const text = yield entry;
        if (entry === 'text') this.#take(text);
        continue;
      }
      yield* this.#work(entry);
      if (this.#stoppedAt !== undefined) return this.#stop(this.#stoppedAt);
    }
    return this.#end();
  }

  /** The next entry or pause; undefined at the end, or if a fault makes the rest of the file unreadable. */
  #next(): ZoneFileEntry | ReadingPause | undefined {
    try {
      return this.#entries.next();
    } catch (error) {
      if (!(error instanceof ZoneFileError)) throw error;
      this.#faults.add(error.line, error.reason);
      this.#names.loseOwner();
      this.#isUnsure = true;
      return this.#entries.skipLine() ? 'turn' : undefined;
    }
  }

  *#work(entry: ZoneFileEntry): Generator<ReadingPause, void> {
    this.#readEntry(entry);
    if (this.#hasUnchecked && this.#names.zone !== null) yield* this.#checkOwners(this.#names.zone);
    this.#done += 1;
    if (this.#done % OF_A_STEP === 0) yield 'turn';
  }

  #take(text: string | undefined): void {
    if (text === undefined) this.#entries.end();
    else this.#entries.add(text);
  }

  #stop(line: number): ZoneFileEnd {
    return this.#faults.count > 0 ? this.#faulty() : { kind: 'stopped', line, soa: this.#soa };
  }

  #end(): ZoneFileEnd {
    const isMissing = this.#soa === undefined && this.#needsSoa;
    if (isMissing && !this.#isUnsure && !this.#names.isOriginLost) {
      this.#faults.add(this.#entries.line, 'The file has no SOA record. Add one, with the name of the zone.');
    }
    if (this.#names.zone !== null) this.#signed.settleKeys(this.#table, canonicalName(this.#names.zone));
    if (this.#faults.count > 0) return this.#faulty();
    const [outside, signed] = [this.#outside, this.#signed.lines];
    return { kind: 'read', soa: this.#soa, table: this.#table, outside, signed };
  }

  #faulty(): ZoneFileEnd {
    const { first: faults, count, isFull } = this.#faults;
    const isUnsure = this.#isUnsure || this.#names.isOriginLost || isFull;
    const [soa, table, outside, signed] = [this.#soa, this.#table, this.#outside, this.#signed.lines];
    const isMissing = soa === undefined && this.#needsSoa;
    const contents = isMissing || isUnsure ? undefined : { soa, table, outside, signed };
    return { kind: 'faulty', faults, count, isWhole: !isFull, contents };
  }

  /** Checks the recordsets from before the zone was known, and includes those inside it one by one. */
  *#checkOwners(zone: string): Generator<ReadingPause, void> {
    this.#hasUnchecked = false;
    for (let at = 0; at < this.#table.size && this.#stoppedAt === undefined; at += 1) {
      const reason = this.#names.outsideZone(this.#table.name(at));
      if (reason === undefined) this.#takeIn(at, canonicalName(zone));
      else this.#refuseForeign(at, reason);
      if (at % OF_A_STEP === 0) yield 'turn';
    }
  }

  #takeIn(recordset: number, zone: OwnerName): void {
    if (this.#signed.mayBeKey(this.#table, recordset, zone)) return;
    this.#table.takeIn(recordset);
    this.#ask(recordset, this.#table.line(recordset));
  }

  /** Handles a recordset from before the zone was known that turns out to be outside it. */
  #refuseForeign(recordset: number, reason: string): void {
    const line = this.#table.line(recordset);
    if (this.#skips) {
      const name = this.#table.name(recordset);
      this.#outside.add({ line, name }, this.#table.count(recordset));
    } else {
      this.#faults.add(line, reason);
      this.#isUnsure = true;
    }
  }

  #ask(recordset: number, line: number): void {
    if (!this.#goesOn(this.#table, recordset, this.#names.zone ?? undefined)) this.#stoppedAt = line;
  }

  #readEntry(entry: ZoneFileEntry): void {
    try {
      const first = entry.tokens[0]!;
      if (!entry.inheritsOwner && !first.quoted && first.text.startsWith('$'))
        this.#readDirective(entry.tokens);
      else this.#readRecord(entry);
    } catch (error) {
      if (!(error instanceof RdataError || error instanceof ZoneFileError)) throw error;
      this.#refuse(entry, error);
    }
  }

  #refuse({ line, tokens }: ZoneFileEntry, error: RdataError | ZoneFileError): void {
    this.#faults.add(error instanceof ZoneFileError ? error.line : line, error.reason);
    const hidden = this.#soa === undefined ? /^(?:SOA|NS)$/i : /^NS$/i;
    this.#isUnsure ||= tokens.some(({ text }) => hidden.test(text));
  }

  #readDirective(tokens: readonly RdataToken[]): void {
    const name = upperAscii(tokens[0]!.text);
    if (name !== '$ORIGIN' && name !== '$TTL') refuseDirective(name);
    const fields = new RdataFields(tokens.slice(1), this.#names.origin);
    if (name === '$TTL') this.#ttls.readDefault(fields);
    else this.#names.readOrigin(fields);
    fields.requireEnd();
  }

  #readRecord(entry: ZoneFileEntry): void {
    const name = this.#names.ownerOf(entry);
    const head = this.#readHead(entry);
    if (isSignerType(head.type)) {
      this.#ttls.of(head);
      this.#signed.add(head.type, name, entry.line);
    } else this.#readKnown(name, { ...head, type: head.type }, entry);
  }

  #readKnown(name: OwnerName | undefined, head: ZoneFileRecordHead<StoredType>, entry: ZoneFileEntry): void {
    const fields = new RdataFields(entry.tokens.slice(head.length), this.#names.origin);
    let read: RdataFields;
    try {
      read = readRdata(head.type, fields);
    } catch (error) {
      if (head.type === 'SOA' && name !== undefined) this.#names.findZone(name);
      if (error instanceof RdataError)
        throw new ZoneFileError(Math.max(fields.line, entry.line), error.reason);
      throw error;
    }
    if (name === undefined) return;
    if (head.type === 'SOA') this.#addSoa(name, head, read.text, entry.line);
    else this.#addRecord(name, head, { text: read.text, wireLength: read.wire.length }, entry.line);
  }

  #readHead({ inheritsOwner, tokens }: ZoneFileEntry): ZoneFileRecordHead {
    return this.#ttls.whileReading(() => readHead(tokens, inheritsOwner ? 0 : 1));
  }

  #addSoa(name: OwnerName, head: ZoneFileRecordHead, rdata: string, line: number): void {
    if (this.#names.zone !== null && name !== this.#names.zone && !this.#names.isOriginLost) {
      throw new RdataError(
        `The SOA is at ${shown(name)}, the zone is ${shown(this.#names.zone)}. Correct one of them.`,
      );
    }
    const isOther = this.#soa !== undefined && this.#soa.rdata !== rdata;
    if (isOther) throw new RdataError('There is a second SOA record. Keep one of them.');
    if (this.#soa !== undefined) return;
    this.#soa = {
      name,
      ttl: this.#ttls.of(head) ?? this.#ttls.takeMinimum(soaFields(rdata).minimum),
      rdata,
      line,
    };
    this.#names.findZone(name);
  }

  #addRecord(name: OwnerName, head: ZoneFileRecordHead<StoredType>, rdata: Rdata, line: number): void {
    if (this.#names.zone === null) this.#hasUnchecked = true;
    const outside = this.#names.zone === null ? undefined : this.#names.outsideZone(name);
    if (outside !== undefined && !this.#skips) throw new RdataError(outside);
    const ttl = this.#ttls.of(head);
    if (outside !== undefined) {
      this.#outside.add({ line, name });
      return;
    }
    if (ttl === undefined) {
      this.#ttls.assume();
      throw new RdataError(
        'The record has no TTL, and no earlier line gives one. Add a $TTL line before it.',
      );
    }
    const recordTtl = { seconds: ttl, isOwn: head.ttl !== undefined };
    const recordset = this.#table.add(name, head.type, recordTtl, rdata, line);
    if (recordset !== undefined) this.#added(recordset, line);
  }

  #added(recordset: number, line: number): void {
    const { zone } = this.#names;
    const mayBeKey = zone !== null && this.#signed.mayBeKey(this.#table, recordset, canonicalName(zone));
    if (zone === null || mayBeKey) this.#table.leaveOut(recordset);
    if (!mayBeKey) this.#ask(recordset, line);
  }
}
