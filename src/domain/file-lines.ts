import { DomainError } from './errors.ts';

/** One line of a file, numbered from 1, without its end. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The text of a file as lines; a byte order mark is no part of the first one.
 * @throws DomainError `invalid_object` where the bytes are no UTF-8
 */
export function requireLines(bytes: Uint8Array): Line[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_object', 'The file is not UTF-8.');
  }
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
}

/**
 * The rule on a line of the public suffix list (https://publicsuffix.org/list/): up to the first white space; undefined
 * for a comment.
 */
export function suffixRuleOf({ text }: Line): string | undefined {
  const [rule = ''] = text.trim().split(/\s/, 1);
  return rule === '' || rule.startsWith('//') ? undefined : rule;
}
