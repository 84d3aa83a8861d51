/**
 * Zone files: RFC 1035 section 5, RFC 2308 section 4 ($TTL). Class IN only; $INCLUDE, $GENERATE and unsupported types
 * are refused.
 */

import type { OwnerName } from '../names.ts';
import { parseOwnerName } from '../owner-name.ts';
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
import { type Head, readHead, requireWord } from './head.ts';
import type { ZoneFileEnd, ZoneFileOptions, ZoneFileReading, ZoneFileSoa } from './reading.ts';
import { RecordsetTable } from './recordset-table.ts';
import { ZoneFileError } from './zone-file-error.ts';

/** How many entries, or recordsets, are worked through before others have a turn. */
const OF_A_STEP = 16;

class ZoneFileReader {
  readonly #entries = new EntryReader();
  readonly #table = new RecordsetTable();
  readonly #goesOn: NonNullable<ZoneFileOptions['goesOn']>;
  /** The origin of relative names. */
  #origin: string | null;
  /** The name of the zone, once it is known: given, or the owner of the SOA. */
  #zone: string | null;
  #soa: ZoneFileSoa | undefined;
  #owner: OwnerName | undefined;
  #ownerText: string | undefined;
  #defaultTtl: number | undefined;
  #lastTtl: number | undefined;
  /** Whether there are owners from before the zone was known. */
  #hasUnchecked = false;
  #isStopped = false;
  #done = 0;

  constructor(origin: string | null, { goesOn = () => true }: ZoneFileOptions) {
    this.#origin = origin;
    this.#zone = origin;
    this.#goesOn = goesOn;
  }

  *read(): ZoneFileReading {
    for (let entry = this.#entries.next(); entry !== undefined; entry = this.#entries.next()) {
      if (typeof entry === 'string') {
        const text = yield entry;
        if (entry === 'text') this.#take(text);
        continue;
      }
      yield* this.#work(entry);
      if (this.#isStopped) return { kind: 'stopped', line: entry.line, soa: this.#soa };
    }
    return this.#end();
  }

  *#work(entry: Entry): Generator<Pause, void> {
    this.#readEntry(entry);
    if (this.#hasUnchecked && this.#zone !== null) yield* this.#checkOwners();
    this.#done += 1;
    if (this.#done % OF_A_STEP === 0) yield 'turn';
  }

  #take(text: string | undefined): void {
    if (text === undefined) this.#entries.end();
    else this.#entries.add(text);
  }

  #end(): ZoneFileEnd {
    if (this.#soa !== undefined) return { kind: 'read', soa: this.#soa, table: this.#table };
    throw new ZoneFileError(
      this.#entries.line,
      'The file has no SOA record. Add one, with the name of the zone.',
    );
  }

  /** The owners from before the zone was known, in the order of their lines. */
  *#checkOwners(): Generator<Pause, void> {
    this.#hasUnchecked = false;
    for (let at = 0; at < this.#table.size; at += 1) {
      this.#requireInZone(this.#table.name(at), this.#table.line(at));
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
      if (error instanceof RdataError) throw new ZoneFileError(entry.line, error.reason);
      throw error;
    }
  }

  #readDirective(tokens: readonly Token[]): void {
    const name = upperAscii(tokens[0]!.text);
    if (name !== '$ORIGIN' && name !== '$TTL') refuseDirective(name);
    const fields = new Fields(tokens.slice(1), this.#origin);
    if (name === '$TTL') {
      this.#defaultTtl = readDuration(fields.takeWord('TTL'), 'TTL');
    } else {
      this.#origin = readDomainName(fields.takeWord('origin'), this.#origin).text;
      this.#ownerText = undefined;
    }
    fields.requireEnd();
  }

  #readRecord(entry: Entry): void {
    if (!entry.inheritsOwner) this.#readOwner(entry.tokens[0]!);
    const name = this.#owner;
    if (name === undefined) {
      throw new RdataError(
        'The line begins with a blank, but there is no record before it. Write the owner name.',
      );
    }
    const head = readHead(entry.tokens, entry.inheritsOwner ? 0 : 1);
    const fields = new Fields(entry.tokens.slice(head.length), this.#origin);
    try {
      readRdata(head.type, fields);
    } catch (error) {
      if (error instanceof RdataError)
        throw new ZoneFileError(Math.max(fields.line, entry.line), error.reason);
      throw error;
    }
    if (head.type === 'SOA') this.#addSoa(name, head, fields.text, entry.line);
    else this.#addRecord(name, head, { text: fields.text, wireLength: fields.wire.length }, entry.line);
  }

  #readOwner(token: Token): void {
    const text = requireWord(token);
    if (text === this.#ownerText) return;
    if (this.#origin === null && !text.endsWith('.')) {
      throw new RdataError(
        `The name ${shown(text)} is relative, but there is no origin. Put a line $ORIGIN before it.`,
      );
    }
    const owner = parseOwnerName(readDomainName(text, this.#origin).text);
    if (!owner.ok) throw new RdataError(owner.reason);
    this.#owner = owner.value;
    this.#ownerText = text;
  }

  #addSoa(name: string, head: Head, rdata: string, line: number): void {
    if (this.#zone !== null && name !== this.#zone) {
      throw new RdataError(
        `The SOA is at ${shown(name)}, the zone is ${shown(this.#zone)}. Correct one of them.`,
      );
    }
    const isOther = this.#soa !== undefined && this.#soa.rdata !== rdata;
    if (isOther) throw new RdataError('There is a second SOA record. Keep one of them.');
    if (this.#soa !== undefined) return;
    this.#soa = { name, ttl: this.#ttl(head) ?? this.#minimumAsTtl(rdata), rdata, line };
    this.#zone = name;
    this.#origin ??= name;
  }

  #addRecord(name: OwnerName, head: Head, rdata: Rdata, line: number): void {
    if (this.#zone === null) this.#hasUnchecked = true;
    else this.#requireInZone(name, line);
    const ttl = this.#ttl(head);
    if (ttl === undefined)
      throw new RdataError(
        'The record has no TTL, and no earlier line gives one. Put a line $TTL before it.',
      );
    const recordset = this.#table.add(
      name,
      head.type,
      { seconds: ttl, isOwn: head.ttl !== undefined },
      rdata,
      line,
    );
    if (recordset === undefined) return;
    this.#isStopped = !this.#goesOn(this.#table, recordset, this.#zone ?? undefined);
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

  #requireInZone(name: string, line: number): void {
    if (name === this.#zone || name.endsWith(`.${this.#zone}`)) return;
    throw new ZoneFileError(
      line,
      `The name ${shown(name)} is outside the zone ${shown(this.#zone ?? '')}. Remove the record, or end the name ` +
        'without a dot if it is relative.',
    );
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
 * Reads a zone file that comes in pieces, or says in which line it is wrong and why; never throws. The outcome is the
 * same wherever the text is cut. The zone is the owner of the one SOA, and must be `origin` where that is given. Relative
 * names are taken under `$ORIGIN`; before the first one under `origin`, or else the zone. Whatever the file holds, the
 * work between two pauses is small; the caller decides how many of them make a turn.
 */
export function* readZoneFile(options: ZoneFileOptions = {}): ZoneFileReading {
  try {
    const origin = options.origin === undefined ? null : readDomainName(options.origin, null).text;
    return yield* new ZoneFileReader(origin, options).read();
  } catch (error) {
    if (error instanceof ZoneFileError) return { kind: 'faulty', line: error.line, reason: error.reason };
    if (error instanceof RdataError) return { kind: 'faulty', line: 1, reason: error.reason };
    throw error;
  }
}
