import { quoted } from './error.ts';
import type { GroupWidths, RawSequence, Width } from './raw.ts';
import { widthOf } from './raw.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';

/** The reader, as seen by parsers of parts of a pattern, which call it for nested content. */
export interface PatternReader {
  readonly tokens: Tokens;
  readonly state: ParseState;
  parseOptions(verbose: boolean, depth: number): RawSequence;
  parseItems(verbose: boolean, depth: number, first: boolean): RawSequence;
}

/** Groups and flags known so far while a pattern is read. */
export class ParseState {
  flags: number;
  /** Number of groups when the outermost look-behind opened. Groups inside it cannot be referenced there. */
  lookBehindGroups: number | undefined;
  /** Groups named by conditionals, possibly before they exist, with the position of the name. */
  readonly conditions = new Map<number, number>();
  private readonly widths: (Width | undefined)[] = [undefined];
  private readonly names = new Map<string, number>();

  constructor(flags: number) {
    this.flags = flags;
  }

  /** Number of capturing groups plus one. */
  get groups(): number {
    return this.widths.length;
  }

  get groupWidths(): GroupWidths {
    return this.widths;
  }

  openGroup(tokens: Tokens, name: string | undefined): number {
    const index = this.widths.length;
    if (name !== undefined) {
      const taken = this.names.get(name);
      if (taken !== undefined) {
        const reason = `redefinition of group name ${quoted(name)} as group ${index}; was group ${taken}`;
        throw tokens.error(reason, lengthOf(name) + 1);
      }
      this.names.set(name, index);
    }
    this.widths.push(undefined);
    return index;
  }

  closeGroup(index: number, body: RawSequence): void {
    this.widths[index] = widthOf(body, this.widths);
  }

  groupNamed(name: string): number | undefined {
    return this.names.get(name);
  }

  isClosed(group: number): boolean {
    return this.widths[group] !== undefined;
  }

  requireUsableInLookBehind(tokens: Tokens, group: number): void {
    if (this.lookBehindGroups === undefined) return;
    if (!this.isClosed(group)) throw tokens.error('cannot refer to an open group');
    if (group >= this.lookBehindGroups) {
      throw tokens.error('cannot refer to group defined in the same lookbehind subpattern');
    }
  }
}
