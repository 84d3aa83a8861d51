/** Internationalised names: UTS 46, non-transitional processing, with CheckBidi and CheckJoiners. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const uts46 = {
  checkBidi: true,
  checkJoiners: true,
  checkHyphens: false,
  useSTD3ASCIIRules: false,
  transitionalProcessing: false,
} as const;

/** The ASCII and Unicode spellings of one name. Each converts into the other. */
export interface Spellings {
  readonly ascii: string;
  readonly unicode: string;
}

const A_LABEL_START = /(?:^|\.)xn--/i;
const NON_ASCII = /[\u0080-\uffff]/;

/** Loaded on first use: its tables take as long to load as the rest of a command, and most names are ASCII. */
const library = (): typeof import('tr46') => require('tr46');

export function hasALabel(name: string): boolean {
  return A_LABEL_START.test(name);
}

export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text);
}

/** The mapped text with its A-labels decoded, even if the name is invalid, so that its fault can be found. */
export function decodeName(name: string): { readonly text: string; readonly valid: boolean } {
  const { domain, error } = library().toUnicode(name, uts46);
  return { text: domain, valid: !error };
}

/** Both spellings of a name, or undefined if it is invalid or does not convert back to itself. */
export function spellName(name: string): Spellings | undefined {
  const { toASCII } = library();
  const ascii = toASCII(name, uts46);
  if (ascii === null || !isAscii(ascii)) return undefined;
  const back = decodeName(ascii);
  if (!back.valid || toASCII(back.text, uts46) !== ascii) return undefined;
  return { ascii, unicode: back.text };
}

/** RFC 5890, 2.3.2.1: an A-label decodes to a U-label that converts back to it. */
export function isALabel(label: string): boolean {
  return spellName(label)?.ascii === label.toLowerCase();
}
