import { textFault } from '../text.ts';

const EMAIL = /^[^@]+@[^@]+$/;
const UNWANTED = /[\s\p{Cc}]/u;
/** Format characters reverse or hide text. The joiners U+200C and U+200D are part of the spelling of words. */
const MISLEADING = /(?![\u200c\u200d])\p{Cf}/u;
const MISPLACED_DOT = /^\.|\.\.|\.@|@\./;

/**
 * The rules for mail addresses before dots, hyphens and format characters were checked. Older zones keep such
 * addresses.
 */
export function storedEmailFault(email: string): string | undefined {
  const fault = textFault(email, { max: 255 });
  if (fault !== undefined) return fault;
  if (UNWANTED.test(email)) return 'Remove white space and control characters.';
  if (!EMAIL.test(email)) return 'Write one "@" between a local part and a domain: hostmaster@example.com.';
  return undefined;
}

/** Why a text cannot be a zone's mail address, or undefined. */
export function emailFault(email: string): string | undefined {
  const fault = storedEmailFault(email);
  if (fault !== undefined) return fault;
  if (MISLEADING.test(email)) return 'Remove white space and control characters.';
  if (MISPLACED_DOT.test(email))
    return 'Write a dot only between two other characters: first.last@example.com.';
  if (hasMisplacedHyphen(email)) return 'No label of the domain may begin or end with a hyphen.';
  return undefined;
}

function hasMisplacedHyphen(email: string): boolean {
  const labels = email.slice(email.indexOf('@') + 1).split('.');
  return labels.some((label) => label.startsWith('-') || label.endsWith('-'));
}
