/** How many strings a pattern keeps in a table, and how many bytes they are. */
export interface Load {
  readonly count: number;
  readonly bytes: number;
}

export function loadOf(strings: readonly Uint8Array[]): Load {
  return { count: strings.length, bytes: strings.reduce((sum, { length }) => sum + length, 0) };
}

/**
 * What the patterns of several strings take of a table, so that a few of them do not fill the memory. Those of one string
 * take no part in it, however many they are.
 */
export class Room {
  private count = 0;
  private bytes = 0;
  private readonly most: Load;

  constructor(most: Load) {
    this.most = most;
  }

  holds({ count, bytes }: Load): boolean {
    if (count <= 1) return true;
    return this.count + count <= this.most.count && this.bytes + bytes <= this.most.bytes;
  }

  /** Takes what a pattern needs, or gives it back. */
  take({ count, bytes }: Load, sign: 1 | -1): void {
    if (count <= 1) return;
    this.count += sign * count;
    this.bytes += sign * bytes;
  }
}
