/** Domain names on the wire: RFC 1035 sections 3.1 and 4.1.4. */
import { LABEL_TEXT, readDomainName } from '../rdata/domain-name.ts';
import { FormError, type NameTail, type WireReader } from './reader.ts';
import type { WireWriter } from './writer.ts';

const MAX_WIRE = 255;
const MAX_LABEL = 63;
const POINTER = 0xc0;
/** The largest offset that fits in a pointer. */
const MAX_TARGET = 0x3fff;

/** The usual case: a name without escapes that is already canonical text. */
const PLAIN = /^(?:[a-z0-9_*/+-]{1,63}\.)+$/;
const ROOT: NameTail = { text: '.', length: 1 };

/** Writes a pointer if the rest of the name is already in the message; otherwise remembers its offset. */
function point(writer: WireWriter, rest: string): boolean {
  const offset = writer.offsetOf(rest);
  if (offset === undefined) {
    writer.noteName(rest);
    return false;
  }
  writer.u16(0xc000 | offset);
  return true;
}

function encodePlain(writer: WireWriter, name: string, compress: boolean): void {
  let at = 0;
  while (at < name.length) {
    if (compress && point(writer, at === 0 ? name : name.slice(at))) return;
    const dot = name.indexOf('.', at);
    writer.u8(dot - at);
    writer.ascii(name, at, dot);
    at = dot + 1;
  }
  writer.u8(0);
}

function encodeEscaped(writer: WireWriter, name: string, compress: boolean): void {
  const { text, wire } = readDomainName(name, null);
  let textAt = 0;
  for (let at = 0; wire[at]! > 0; ) {
    if (compress && point(writer, text.slice(textAt))) return;
    const label = wire.slice(at, at + 1 + wire[at]!);
    writer.bytes(label);
    for (let index = 1; index < label.length; index += 1) textAt += LABEL_TEXT[label[index]!]!.length;
    textAt += 1;
    at += label.length;
  }
  writer.u8(0);
}

/**
 * Writes an absolute name given as canonical text. With `compress`, it may point to earlier names, and later names may
 * point to it.
 * @throws RdataError if the text is not an absolute name; MessageFull
 */
export function encodeName(writer: WireWriter, name: string, compress: boolean): void {
  if (name === '.') writer.u8(0);
  else if (name.length < MAX_WIRE && PLAIN.test(name)) encodePlain(writer, name, compress);
  else encodeEscaped(writer, name, compress);
}

/** A label or pointer of a name being read. A pointer has the text of the name it points to. */
interface NamePiece {
  readonly offset: number;
  readonly label: string;
  readonly length: number;
}

function labelText(octets: Buffer): string {
  let text = '';
  for (const octet of octets) text += LABEL_TEXT[octet];
  return text;
}

/** Reads pieces of a name up to its end, or up to a tail that is already known. Sets `after` once. */
class NameWalk {
  readonly pieces: NamePiece[] = [];
  /** The offset after the name in the message: after its first pointer, or after its root label. */
  after: number | undefined;
  readonly #reader: WireReader;
  #at: number;
  /** Octets in its labels; the root label counts as one. */
  #length = 1;
  /** Where the current piece starts. A pointer must lead to an offset before it. */
  #pieceStart: number;

  constructor(reader: WireReader) {
    this.#reader = reader;
    this.#at = reader.offset;
    this.#pieceStart = reader.offset;
  }

  /** Walks to the root or to a known tail, and returns it. */
  run(mayPoint: boolean): NameTail {
    for (;;) {
      // Tails are known only behind a pointer: the octets before that have not been read yet.
      const known = this.after === undefined ? undefined : this.#reader.tails.get(this.#at);
      if (known !== undefined) return known;
      const length = this.#reader.octetAt(this.#at);
      if (length === 0) {
        this.after ??= this.#at + 1;
        return ROOT;
      }
      if (length <= MAX_LABEL) this.#label(length);
      else this.#pointer(length, mayPoint);
    }
  }

  #label(length: number): void {
    const from = this.#at + 1;
    const label = labelText(this.#reader.slice(from, from + length));
    this.pieces.push({ offset: this.#at, label, length: length + 1 });
    this.#at = from + length;
    this.#length += length + 1;
    if (this.#length > MAX_WIRE) throw new FormError('A name is longer than 255 octets.');
  }

  #pointer(high: number, mayPoint: boolean): void {
    if (high < POINTER) throw new FormError('A label has a type that does not exist.');
    if (!mayPoint) throw new FormError('A name is compressed where its type forbids it.');
    const target = ((high & 0x3f) << 8) | this.#reader.octetAt(this.#at + 1);
    if (target >= this.#pieceStart) throw new FormError('A compressed name does not point back.');
    this.pieces.push({ offset: this.#at, label: '', length: 0 });
    this.after ??= this.#at + 2;
    this.#at = target;
    this.#pieceStart = target;
  }
}

function withPiece(tail: NameTail, { label, length }: NamePiece): NameTail {
  if (length === 0) return tail;
  const whole = tail.length + length;
  if (whole > MAX_WIRE) throw new FormError('A name is longer than 255 octets.');
  return { text: tail.length === 1 ? `${label}.` : `${label}.${tail.text}`, length: whole };
}

/**
 * Reads a name as canonical text: absolute, lower case, escaped as in rdata. Pointers must lead backwards, and reading
 * all names of a message takes time linear in its length.
 * @param mayPoint whether the name may be compressed (RFC 3597 section 4)
 * @throws FormError
 */
export function decodeName(reader: WireReader, mayPoint = true): string {
  const walk = new NameWalk(reader);
  let tail = walk.run(mayPoint && reader.mayPoint);
  for (const piece of walk.pieces.reverse()) {
    tail = withPiece(tail, piece);
    if (piece.offset <= MAX_TARGET) reader.tails.set(piece.offset, tail);
  }
  reader.skip(walk.after! - reader.offset);
  return tail.text;
}

/** Skips a name without reading its text or following pointers. @throws FormError */
export function skipName(reader: WireReader): void {
  for (;;) {
    const length = reader.u8();
    if (length === 0) return;
    if (length > MAX_LABEL) {
      if (length < POINTER) throw new FormError('A label has a type that does not exist.');
      reader.u8();
      return;
    }
    reader.skip(length);
  }
}
