import { textFault } from '../text.ts';

const EMAIL = /^[^@]+@[^@]+$/;
const UNWANTED = /[\s\p{Cc}]/u;

/** Why a text cannot be a zone's mail address, or undefined. */
export function emailFault(email: string): string | undefined {
  const fault = textFault(email, { max: 255 });
  if (fault !== undefined) return fault;
  if (UNWANTED.test(email)) return 'Remove white space and control characters.';
  if (!EMAIL.test(email)) return 'Write one "@" between a local part and a domain: hostmaster@example.com.';
  return undefined;
}
