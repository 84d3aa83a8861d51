/** Case is folded only in ASCII text (RFC 4343); elsewhere K (U+212A) would become k, and ſ (U+017F) S. */

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

export const upperAscii = (text: string): string => (isAscii(text) ? text.toUpperCase() : text);

export const lowerAscii = (text: string): string => (isAscii(text) ? text.toLowerCase() : text);
