import { CANDIDATE, contextIn, kindIn } from './contexts.ts';
import type { GramIndex } from './gram-index.ts';
import type { IndexHits } from './hits.ts';
import type { StringTable } from './string-table.ts';
import { PreparedName } from './subject.ts';
import { NEAR, type Tables } from './tables.ts';

const NEWLINE = 10;
const SHORT_LENGTHS = 0b1111;

/** Looks up a name: its tails, then every stored literal in it. */
export class Finder {
  private readonly tables: Tables;
  private readonly subject: PreparedName;

  constructor(tables: Tables) {
    this.tables = tables;
    this.subject = new PreparedName(tables.key);
  }

  find(text: string, hits: IndexHits): void {
    const { near, far } = this.tables;
    this.subject.load(text);
    this.subject.scan();
    if (this.findTails(hits) && this.findLiterals(far, hits) && this.findLiterals(near, hits))
      this.findShort(hits);
  }

  private findTails(hits: IndexHits): boolean {
    const { starting, starts, length, bytes } = this.subject;
    const last = bytes[length - 1] === NEWLINE ? length - 1 : length;
    for (let i = 0; i < starting; i++) {
      const from = starts[i]!;
      if (from < length && !this.probe(this.tables.tails, from, length, hits)) return false;
      if (from < last && last < length && !this.probe(this.tables.tails, from, last, hits)) return false;
    }
    return true;
  }

  private findLiterals(grams: GramIndex, hits: IndexHits): boolean {
    if (grams.empty) return true;
    const { subject } = this;
    subject.sift(grams);
    for (let i = 0; i < subject.hitting; i++) {
      const from = subject.hits[i]!;
      const gram = grams.find(subject.sum(from, from + grams.size));
      if (gram >= 0 && !this.findLengths(grams, gram, from, hits)) return false;
    }
    return true;
  }

  /** Tries the lengths of the literals that start with these bytes. */
  private findLengths(grams: GramIndex, gram: number, from: number, hits: IndexHits): boolean {
    const most = this.subject.length - from;
    for (let word = 0; word <= most >>> 5 && word < 8; word++) {
      const lengths = grams.lengthsAt(gram, word) & (word === 0 ? ~SHORT_LENGTHS : -1);
      if (!this.findOfLengths(lengths, word * 32, from, hits)) return false;
    }
    return true;
  }

  /** Bit b of `lengths` stands for `base` + b bytes. */
  private findOfLengths(lengths: number, base: number, from: number, hits: IndexHits): boolean {
    for (let left = lengths; left !== 0; left &= left - 1) {
      const to = from + base + 31 - Math.clz32(left & -left);
      if (to > this.subject.length) return true;
      if (!this.probe(this.tables.literals, from, to, hits)) return false;
    }
    return true;
  }

  private findShort(hits: IndexHits): void {
    for (let size = 1; size < NEAR; size++) {
      if (this.tables.near.short[size]! > 0 && !this.findOfSize(size, hits)) return;
    }
  }

  private findOfSize(size: number, hits: IndexHits): boolean {
    const { subject } = this;
    for (let from = 0; from + size <= subject.length; from++) {
      if (!this.tables.near.passes(subject.sum(from, from + size))) continue;
      if (!this.probe(this.tables.literals, from, from + size, hits)) return false;
    }
    return true;
  }

  /** Reads all entries of one string. Among complete ones that block, the smallest key counts, whatever their order. */
  private probe(table: StringTable, from: number, to: number, hits: IndexHits): boolean {
    const { subject } = this;
    const hash = subject.hash(from, to);
    let wantsMore = true;
    for (let slot = hash; ; slot++) {
      slot = table.seek(hash, subject.bytes, from, to, slot);
      if (slot < 0) return wantsMore;
      const entry = table.entryAt(hash, slot);
      const mode = table.modeOf(entry);
      const context = contextIn(mode);
      if (context === CANDIDATE) hits.meet(entry, kindIn(mode));
      else if (this.tables.contexts.holds(context, subject, from, to)) {
        wantsMore = hits.take(table.lists.all(table.heldBy(entry)), kindIn(mode)) && wantsMore;
      }
    }
  }
}
