import { inflateSync } from 'node:zlib';
import { contains } from './charset.ts';
import { PACKED_NAMES } from './names.generated.ts';
import { ideographs } from './unicode.ts';

/** Character names as in `\N{EM DASH}`, as found by CPython's `unicodedata.lookup`. */

const LEADS = 'G GG N D DD R M B BB S SS - J JJ C K T P H'.split(' ').map((text) => text.replace('-', ''));
const VOWELS = 'A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I'.split(' ');
const TAILS = '- G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H'
  .split(' ')
  .map((text) => text.replace('-', ''));

let table: ReadonlyMap<string, number> | undefined;

function longest(parts: readonly string[], text: string): number {
  let found = -1;
  for (const [index, part] of parts.entries()) {
    const better = found < 0 || part.length > (parts[found] as string).length;
    if (better && text.startsWith(part)) found = index;
  }
  return found;
}

function hangulSyllable(text: string): number | undefined {
  const lead = longest(LEADS, text);
  const afterLead = text.slice(LEADS[lead]?.length);
  const vowel = longest(VOWELS, afterLead);
  if (vowel < 0) return undefined;
  const afterVowel = afterLead.slice(VOWELS[vowel]?.length);
  const tail = longest(TAILS, afterVowel);
  if (TAILS[tail] !== afterVowel) return undefined;
  return 0xac00 + (lead * 21 + vowel) * 28 + tail;
}

function ideograph(digits: string): number | undefined {
  if (!/^[0-9A-F]{4,5}$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return contains(ideographs(), code) ? code : undefined;
}

/** Parses lines of `distance to the previous code point in base 36, empty for 1` TAB `name`. */
function unpacked(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  let code = 0;
  for (const line of inflateSync(Buffer.from(PACKED_NAMES, 'base64')).toString('latin1').split('\n')) {
    const tab = line.indexOf('\t');
    code += tab === 0 ? 1 : Number.parseInt(line.slice(0, tab), 36);
    names.set(line.slice(tab + 1), code);
  }
  return names;
}

function listed(name: string): number | undefined {
  table ??= unpacked();
  return table.get(name);
}

export function codePointNamed(name: string): number | undefined {
  if (!/^[A-Za-z0-9 -]{1,255}$/.test(name)) return undefined;
  if (name.startsWith('HANGUL SYLLABLE ')) return hangulSyllable(name.slice(16));
  if (name.startsWith('CJK UNIFIED IDEOGRAPH-')) return ideograph(name.slice(22));
  return listed(name.toUpperCase());
}
