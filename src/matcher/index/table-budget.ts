/** Number of strings that a pattern stores in a table, and their total bytes. */
export interface Load {
  readonly count: number;
  readonly bytes: number;
}

export function loadOf(strings: readonly Uint8Array[]): Load {
  return { count: strings.length, bytes: strings.reduce((sum, { length }) => sum + length, 0) };
}

/**
 * Limits the space in a table for patterns with several strings, so that a few of them cannot fill the memory. Patterns
 * with one string do not count.
 */
export class TableBudget {
  private count = 0;
  private bytes = 0;
  private readonly max: Load;

  constructor(max: Load) {
    this.max = max;
  }

  holds({ count, bytes }: Load): boolean {
    if (count <= 1) return true;
    return this.count + count <= this.max.count && this.bytes + bytes <= this.max.bytes;
  }

  /** Takes the space of a pattern (1), or returns it (-1). */
  take({ count, bytes }: Load, sign: 1 | -1): void {
    if (count <= 1) return;
    this.count += sign * count;
    this.bytes += sign * bytes;
  }
}
