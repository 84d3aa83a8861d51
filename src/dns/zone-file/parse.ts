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
import { type Entry, EntryReader } from './entries.ts';
import { type Head, readHead, requireWord } from './head.ts';
import { RecordsetCollector } from './recordset-collector.ts';
import type { ReadZoneFileRecordset, ZoneFile, ZoneFileLines } from './zone.ts';
import { ZoneFileError } from './zone-file-error.ts';

export type ZoneFileResult =
  | { readonly ok: true; readonly zone: ZoneFile<ReadZoneFileRecordset>; readonly lines: ZoneFileLines }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** A step takes a few milliseconds. */
const CHARACTERS_PER_STEP = 32_768;

class ZoneFileReader {
  readonly #entries: EntryReader;
  readonly #records = new RecordsetCollector();
  /** The origin of relative names. */
  #origin: string | null;
  /** The name of the zone, once it is known: given, or the owner of the SOA. */
  #zone: string | null;
  #soa: ZoneFile['soa'] | undefined;
  #soaLine = 0;
  #owner: OwnerName | undefined;
  #ownerText: string | undefined;
  #defaultTtl: number | undefined;
  #lastTtl: number | undefined;
  /** Owners before the zone is known. */
  readonly #unchecked: { readonly name: string; readonly line: number }[] = [];

  constructor(text: string, origin: string | null) {
    this.#entries = new EntryReader(text);
    this.#origin = origin;
    this.#zone = origin;
  }

  /** Yields after a certain number of characters. */
  *read(): Generator<
    void,
    { readonly zone: ZoneFile<ReadZoneFileRecordset>; readonly lines: ZoneFileLines }
  > {
    let stopAt = CHARACTERS_PER_STEP;
    for (let entry = this.#entries.next(); entry !== undefined; entry = this.#entries.next()) {
      this.#readEntry(entry);
      if (this.#entries.position < stopAt) continue;
      stopAt = this.#entries.position + CHARACTERS_PER_STEP;
      yield;
    }
    if (this.#soa === undefined || this.#zone === null) {
      throw new ZoneFileError(
        this.#entries.line,
        'The file has no SOA record. Add one, with the name of the zone.',
      );
    }
    const { recordsets, lines } = this.#records;
    return {
      zone: { origin: this.#zone, soa: this.#soa, recordsets },
      lines: { soa: this.#soaLine, recordsets: lines },
    };
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
    this.#soa = { ttl: this.#ttl(head) ?? this.#minimumAsTtl(rdata), rdata };
    this.#soaLine = line;
    this.#zone = name;
    this.#origin ??= name;
    for (const { name: owner, line } of this.#unchecked) this.#requireInZone(owner, line);
    this.#unchecked.length = 0;
  }

  #addRecord(name: OwnerName, head: Head, rdata: Rdata, line: number): void {
    if (this.#zone === null) this.#unchecked.push({ name, line });
    else this.#requireInZone(name, line);
    const ttl = this.#ttl(head);
    if (ttl === undefined)
      throw new RdataError(
        'The record has no TTL, and no earlier line gives one. Put a line $TTL before it.',
      );
    this.#records.add(name, head.type, ttl, rdata, line);
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

export interface ZoneFileOptions {
  /** The name of the zone, if known. */
  readonly origin?: string;
}

/**
 * Reads a zone file, or says in which line it is wrong and why; never throws. The zone is the owner of the one SOA,
 * and must be `origin` where that is given. Relative names are taken under `$ORIGIN`; before the first one under
 * `origin`, or else the zone. It yields every few milliseconds, so that a large file does not block the event loop.
 */
export function* parseZoneFileInSteps(
  text: string,
  options: ZoneFileOptions = {},
): Generator<void, ZoneFileResult> {
  try {
    const origin = options.origin === undefined ? null : readDomainName(options.origin, null).text;
    return { ok: true, ...(yield* new ZoneFileReader(text, origin).read()) };
  } catch (error) {
    if (error instanceof ZoneFileError) return { ok: false, line: error.line, reason: error.reason };
    if (error instanceof RdataError) return { ok: false, line: 1, reason: error.reason };
    throw error;
  }
}

/** The same, without yielding. */
export function parseZoneFile(text: string, options: ZoneFileOptions = {}): ZoneFileResult {
  const steps = parseZoneFileInSteps(text, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
