import { textFault } from '../../model/text.ts';

/** What is wrong with the attribute keys of a zone or a pool; undefined if nothing is. */
export function attributesFault(keys: readonly string[]): string | undefined {
  if (keys.length > 64) return 'Use at most 64 attributes.';
  return keys.map((key) => textFault(key, { min: 1, max: 255 })).find((fault) => fault !== undefined);
}
