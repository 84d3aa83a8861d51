/** A named list: a set of blacklists imported from a file. */
export interface BlacklistList {
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** Number of blacklists it holds. */
  readonly entries: number;
  /** SHA-256 of its last file, in hexadecimal. */
  readonly sha256: string;
  /** The id of its last event. */
  readonly eventId: string;
}

const NAME = /^[a-z0-9._-]{1,64}$/;
export const LIST_NAME_RULE =
  'The name of a list has 1 to 64 characters: lower-case letters, digits, ".", "_" and "-".';

export function isListName(text: string): boolean {
  return NAME.test(text);
}
