import { quoted } from './error.ts';
import type { GroupWidths, RawSequence, Width } from './raw.ts';
import { widthOf } from './raw.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';

/** The reader, as those see it who read a part of a pattern and call it for what stands inside of theirs. */
export interface PatternReader {
  readonly tokens: Tokens;
  readonly state: ParseState;
  parseOptions(verbose: boolean, depth: number): RawSequence;
  parseItems(verbose: boolean, depth: number, first: boolean): RawSequence;
}

/** What is known about groups and flags while a pattern is read. */
export class ParseState {
  flags: number;
  /** The number of groups when the outermost look-behind opened; its own groups cannot be referred to in it. */
  lookBehindGroups: number | undefined;
  /** Groups that conditionals name before they may exist, each with where it is named. */
  readonly conditions = new Map<number, number>();
  private readonly widths: (Width | undefined)[] = [undefined];
  private readonly names = new Map<string, number>();

  constructor(flags: number) {
    this.flags = flags;
  }

  /** One more than the number of capturing groups. */
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
