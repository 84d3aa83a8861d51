/** Mail addresses as the RNAME of an SOA (RFC 1035, sections 3.3.13 and 8). */
import { parseRdata } from '../../dns/parse-rdata.ts';
import { emailFault } from './email.ts';

/** UTF-8 bytes that need an escape in a label. */
const SPECIAL = /[.\\"();@$]/;
const VISIBLE = /[\x21-\x7e]/;
const ALL_VISIBLE = /^[\x21-\x7e]*$/;

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (SPECIAL.test(character)) return `\\${character}`;
  return VISIBLE.test(character) ? character : `\\${String(byte).padStart(3, '0')}`;
}

/** A domain name in rdata form, or undefined if the text is not a domain name. */
function canonicalName(text: string): string | undefined {
  const parsed = parseRdata('NS', text);
  return parsed.ok ? parsed.rdata : undefined;
}

/**
 * The canonical RNAME of a mail address: the local part becomes the first label. If no domain name can express the
 * address, such as a local part of 64 characters, the result is the mailbox `hostmaster` of the zone.
 */
export function formatRname(email: string, zoneName: string): string {
  const at = email.lastIndexOf('@');
  const local = [...Buffer.from(email.slice(0, at))].map(escapeByte).join('');
  const domain = email
    .slice(at + 1)
    .replace(/\.$/, '')
    .replace(/[\\"();$]/g, (character) => `\\${character}`);
  // Convert the domain first: its non-ASCII letters become A-labels, which escapes in the local part would prevent.
  const ascii = ALL_VISIBLE.test(domain) ? `${domain}.` : canonicalName(`${domain}.`);
  const rname = ascii === undefined || ascii === '.' ? undefined : canonicalName(`${local}.${ascii}`);
  return rname ?? canonicalName(`hostmaster.${zoneName}`) ?? zoneName;
}

function unescaped(text: string): string | undefined {
  const bytes: number[] = [];
  for (const [whole, decimal, character] of text.matchAll(/\\(\d{3})|\\(.)|[^\\]/gs)) {
    bytes.push(decimal === undefined ? (character ?? whole).charCodeAt(0) : Number(decimal));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** The mail address of a canonical RNAME, or undefined if it has none. */
export function parseRname(rname: string): string | undefined {
  const [, local = '', domain = ''] = /^((?:\\\d{3}|\\.|[^.\\])*)\.(.*)\.$/s.exec(rname) ?? [];
  if (/\\\./.test(domain)) return undefined;
  const parts = [unescaped(local), unescaped(domain)];
  if (parts.some((part) => part === undefined || part === '')) return undefined;
  const email = parts.join('@');
  return emailFault(email) === undefined ? email : undefined;
}
