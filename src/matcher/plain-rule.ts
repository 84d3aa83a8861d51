/**
 * The form of nearly all patterns in long lists: a name, with or without the names below it, of letters, digits and
 * hyphens, with escaped dots, anchored at both ends. Such a text is always a valid pattern without warnings.
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

/** True if the text has this form. False says nothing about its validity. */
export function isPlainRule(source: string): boolean {
  return PLAIN.test(source);
}
