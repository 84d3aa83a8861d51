/**
 * Zone files: RFC 1035 section 5, RFC 2308 section 4 ($TTL). Class IN only; $INCLUDE, $GENERATE and unsupported types
 * are refused.
 */

import type { OwnerName } from '../names.ts';
import { readDomainName } from '../rdata/domain-name.ts';
import { readDuration } from '../rdata/duration.ts';
import { Fields } from '../rdata/fields.ts';
import { soaFields } from '../rdata/hosts.ts';
import { upperAscii } from '../rdata/letter-case.ts';
import { RdataError, shown } from '../rdata/rdata-error.ts';
import type { Token } from '../rdata/tokens.ts';
import { readRdata } from '../rdata.ts';
import type { Rdata } from '../records-size.ts';
import { type Entry, EntryReader, type Pause } from './entries.ts';
import { ZoneFileFaults } from './faults.ts';
import { type Head, readHead } from './head.ts';
import { NamesInForce } from './names-in-force.ts';
import type { ZoneFileEnd, ZoneFileOptions, ZoneFileReading, ZoneFileSoa } from './reading.ts';
import { RecordsetTable } from './recordset-table.ts';
import { ZoneFileError } from './zone-file-error.ts';

/** How many entries, or recordsets, are worked through before others have a turn. */
const OF_A_STEP = 16;

class ZoneFileReader {
  readonly #entries = new EntryReader();
  readonly #table = new RecordsetTable();
  readonly #names: NamesInForce;
  readonly #goesOn: NonNullable<ZoneFileOptions['goesOn']>;
  #soa: ZoneFileSoa | undefined;
  #defaultTtl: number | undefined;
  #lastTtl: number | undefined;
  /** Whether there are owners from before the zone was known. */
  #hasUnchecked = false;
  #isStopped = false;
  readonly #faults = new ZoneFileFaults();
  /** A fault may have hidden the SOA, or what a check of all records needs to know. */
  #isUnsure = false;
  #done = 0;

  constructor(origin: string | null, { goesOn = () => true }: ZoneFileOptions) {
    this.#names = new NamesInForce(origin);
    this.#goesOn = goesOn;
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
      if (this.#isStopped) return this.#stop(entry.line);
    }
    return this.#end();
  }

  /** What comes next; undefined also where a fault makes the rest of the file unreadable. */
  #next(): Entry | Pause | undefined {
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

  *#work(entry: Entry): Generator<Pause, void> {
    this.#readEntry(entry);
    if (this.#hasUnchecked && this.#names.zone !== null) yield* this.#checkOwners();
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
    if (this.#soa === undefined && !this.#isUnsure && !this.#names.isOriginLost) {
      this.#faults.add(this.#entries.line, 'The file has no SOA record. Add one, with the name of the zone.');
    }
    if (this.#soa === undefined || this.#faults.count > 0) return this.#faulty();
    return { kind: 'read', soa: this.#soa, table: this.#table };
  }

  #faulty(): ZoneFileEnd {
    const { first: faults, count, isFull } = this.#faults;
    const isUnsure = this.#isUnsure || this.#names.isOriginLost || isFull;
    const contents = this.#soa === undefined || isUnsure ? undefined : { soa: this.#soa, table: this.#table };
    return { kind: 'faulty', faults, count, isWhole: !isFull, contents };
  }

  /** The owners from before the zone was known, in the order of their lines. */
  *#checkOwners(): Generator<Pause, void> {
    this.#hasUnchecked = false;
    for (let at = 0; at < this.#table.size; at += 1) {
      const reason = this.#names.outsideZone(this.#table.name(at));
      if (reason !== undefined) {
        this.#faults.add(this.#table.line(at), reason);
        this.#isUnsure = true;
      }
      if (at % OF_A_STEP === 0) yield 'turn';
    }
  }

  #readEntry(entry: Entry): void {
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

  #refuse({ line, tokens }: Entry, error: RdataError | ZoneFileError): void {
    this.#faults.add(error instanceof ZoneFileError ? error.line : line, error.reason);
    const hidden = this.#soa === undefined ? /^(?:SOA|NS)$/i : /^NS$/i;
    this.#isUnsure ||= tokens.some(({ text }) => hidden.test(text));
  }

  #readDirective(tokens: readonly Token[]): void {
    const name = upperAscii(tokens[0]!.text);
    if (name !== '$ORIGIN' && name !== '$TTL') refuseDirective(name);
    const fields = new Fields(tokens.slice(1), this.#names.origin);
    if (name === '$TTL') {
      // Should the line have a fault, the records after it have none for want of a TTL.
      this.#lastTtl ??= 0;
      this.#defaultTtl = readDuration(fields.takeWord('TTL'), 'TTL');
    } else this.#names.readOrigin(fields);
    fields.requireEnd();
  }

  #readRecord(entry: Entry): void {
    const name = this.#names.ownerOf(entry);
    const head = this.#readHead(entry);
    const fields = new Fields(entry.tokens.slice(head.length), this.#names.origin);
    try {
      readRdata(head.type, fields);
    } catch (error) {
      if (head.type === 'SOA' && name !== undefined) this.#names.findZone(name);
      if (error instanceof RdataError)
        throw new ZoneFileError(Math.max(fields.line, entry.line), error.reason);
      throw error;
    }
    if (name === undefined) return;
    if (head.type === 'SOA') this.#addSoa(name, head, fields.text, entry.line);
    else this.#addRecord(name, head, { text: fields.text, wireLength: fields.wire.length }, entry.line);
  }

  #readHead({ inheritsOwner, tokens }: Entry): Head {
    // Should the line have a fault, the records after it have none for want of a TTL.
    const before = this.#lastTtl;
    this.#lastTtl ??= 0;
    const head = readHead(tokens, inheritsOwner ? 0 : 1);
    this.#lastTtl = before;
    return head;
  }

  #addSoa(name: OwnerName, head: Head, rdata: string, line: number): void {
    if (this.#names.zone !== null && name !== this.#names.zone && !this.#names.isOriginLost) {
      throw new RdataError(
        `The SOA is at ${shown(name)}, the zone is ${shown(this.#names.zone)}. Correct one of them.`,
      );
    }
    const isOther = this.#soa !== undefined && this.#soa.rdata !== rdata;
    if (isOther) throw new RdataError('There is a second SOA record. Keep one of them.');
    if (this.#soa !== undefined) return;
    this.#soa = { name, ttl: this.#ttl(head) ?? this.#minimumAsTtl(rdata), rdata, line };
    this.#names.findZone(name);
  }

  #addRecord(name: OwnerName, head: Head, rdata: Rdata, line: number): void {
    if (this.#names.zone === null) this.#hasUnchecked = true;
    const outside = this.#names.zone === null ? undefined : this.#names.outsideZone(name);
    if (outside !== undefined) throw new RdataError(outside);
    const ttl = this.#ttl(head);
    if (ttl === undefined) {
      this.#lastTtl = 0;
      throw new RdataError(
        'The record has no TTL, and no earlier line gives one. Put a line $TTL before it.',
      );
    }
    const recordset = this.#table.add(
      name,
      head.type,
      { seconds: ttl, isOwn: head.ttl !== undefined },
      rdata,
      line,
    );
    if (recordset === undefined) return;
    this.#isStopped = !this.#goesOn(this.#table, recordset, this.#names.zone ?? undefined);
  }

  /** RFC 2308 section 4: the $TTL wins over the last TTL given, which RFC 1035 section 5.1 would take. */
  #ttl(head: Head): number | undefined {
    if (head.ttl !== undefined) this.#lastTtl = head.ttl;
    return head.ttl ?? this.#defaultTtl ?? this.#lastTtl;
  }

  /** If nothing gives the SOA a TTL, its minimum is used, and is the default from there on, as in BIND. */
  #minimumAsTtl(rdata: string): number {
    this.#defaultTtl = soaFields(rdata).minimum;
    return this.#defaultTtl;
  }
}

function refuseDirective(name: string): never {
  const reasons: Readonly<Record<string, string>> = {
    $INCLUDE: '$INCLUDE is refused, because other files are not available. Put the text of that file here.',
    $GENERATE: '$GENERATE is refused. Write the records themselves, as named-compilezone prints them.',
  };
  throw new RdataError(
    reasons[name] ?? `The directive ${shown(name)} is unknown. Use only $ORIGIN and $TTL.`,
  );
}

/**
 * Reads a zone file that comes in pieces, or says in which lines it is wrong and why; never throws. The outcome is the
 * same wherever the text is cut. The zone is the owner of the one SOA, and must be `origin` where that is given. Relative
 * names are taken under `$ORIGIN`; before the first one under `origin`, or else the zone. Whatever the file holds, the
 * work between two pauses is small; the caller decides how many of them make a turn.
 */
export function* readZoneFile(options: ZoneFileOptions = {}): ZoneFileReading {
  try {
    const origin = options.origin === undefined ? null : readDomainName(options.origin, null).text;
    return yield* new ZoneFileReader(origin, options).read();
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    const faults = [{ line: 1, reason: error.reason }];
    return { kind: 'faulty', faults, count: 1, isWhole: true, contents: undefined };
  }
}
