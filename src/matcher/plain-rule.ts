/**
 * Nearly all patterns of long lists: a name, alone or with all below it, letters and digits and hyphens with each dot
 * escaped, tied to both ends. Such a text is a pattern, and nothing about it is odd.
 */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\\\\\.';
const BEGINNINGS = [
  '\\^\\(\\[A-Za-z0-9_\\\\-\\]\\+\\\\\\.\\)\\*',
  '\\^\\(\\[a-z0-9_-\\]\\+\\\\\\.\\)\\*',
  '\\^\\((?:\\?:)?\\.\\*\\\\\\.\\)\\?',
  '\\((?:\\?:)?\\^\\|\\\\\\.\\)',
  `\\^${LABEL}`,
].join('|');
const PLAIN = new RegExp(`^(?:${BEGINNINGS})(?:${LABEL})+\\$$`, 'i');

/** Whether a text is such a pattern. Of another one nothing is known. */
export function isPlainRule(source: string): boolean {
  return PLAIN.test(source);
}
