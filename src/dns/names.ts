/** DNS names: their canonical form, the rules for input, and the tree they form. */
import { decodeName, hasALabel, isALabel, isAscii, spellName } from './idna.ts';
import type { Parsed } from './parsed.ts';

declare const canonical: unique symbol;

/** A recordset name in canonical form: a zone name, or `*.` followed by one. */
export type OwnerName = string & { readonly [canonical]: 'plain' | 'wildcard' };

/** A name in canonical form: lower case, absolute, with A-labels and a final dot. */
export type Fqdn = OwnerName & { readonly [canonical]: 'plain' };

/**
 * The only place that turns text into a name. The text must be canonical, or have been canonical when it was stored.
 */
export function canonicalName<N extends OwnerName>(text: string): N {
  return text as N;
}

/** RFC 1035, 2.3.4: 255 octets on the wire are 254 characters, including the final dot. */
const MAX_NAME_LENGTH = 254;
const MAX_LABEL_LENGTH = 63;
/**
 * Input may be longer than the stored name, since characters are composed or ignored. Longer input is refused unread.
 */
const MAX_TYPED_LENGTH = 4 * MAX_NAME_LENGTH;

const PLAIN_NAME = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)+$/;
const PLAIN_CHARACTER = /[A-Za-z0-9_.-]/;

/** RFC 2317: a delegation of part of an IPv4 network has a label such as `0/25`. */
const REVERSE_NAME = /\.(?:in-addr|ip6)\.arpa\.?$/i;

/** An escape, or the character that joins the labels of a subtree key. */
const ODD_CHARACTER = /[\\!]/;
/** A name's key with this appended sorts after all keys at and below the name, and before all that follow. */
export const END_OF_SUBTREE = '"';
/** One label with its dot, in presentation form. */
export const LABEL = /(?:\\.|[^.\\])*\./g;

/** One rule: returns why the name violates it, or undefined. */
type NameRule = (name: string) => string | undefined;

const REASONS = {
  empty: 'A name must not be empty. Write one such as "example.com.".',
  finalDot: 'A zone name must end with a dot, such as "example.com.".',
  emptyLabel: 'A label must not be empty. Put a single dot between labels, and none at the start.',
  hyphen: 'A label must not begin or end with "-". Remove it.',
  longLabel: `A label has at most ${MAX_LABEL_LENGTH} characters, as an A-label. Shorten it.`,
  longName: `A name has at most ${MAX_NAME_LENGTH} characters, with A-labels and the final dot. Shorten it.`,
  twoLabels: 'A zone name must have at least two labels, such as "example.com.".',
  dotLike:
    'Only the full stop U+002E separates labels. Write "." instead of the character that resembles it.',
  uts46:
    'A label contains a character or sequence that UTS 46 disallows. Write the name as its registry lists it.',
};

function codePointOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The first ASCII character that is not allowed in names. */
function forbiddenAscii(name: string): string | undefined {
  const mayHaveSlash = REVERSE_NAME.test(name);
  for (const character of name) {
    if (character === '/' && mayHaveSlash) continue;
    if (character < '\u0080' && !PLAIN_CHARACTER.test(character)) return character;
  }
  return undefined;
}

const onlyPlainAscii: NameRule = (name) => {
  const character = forbiddenAscii(name);
  if (character === undefined) return undefined;
  return `A name may contain only letters, digits, "-", "_" and dots. Remove ${codePointOf(character)}.`;
};

const noEmptyLabel: NameRule = (name) =>
  name.startsWith('.') || name.includes('..') ? REASONS.emptyLabel : undefined;

const noHyphenAtAnEdge: NameRule = (name) => (/(?:^|\.)-|-(?:\.|$)/.test(name) ? REASONS.hyphen : undefined);

/** Labels that still need conversion are measured after it. */
const noLongLabel: NameRule = (name) =>
  name.split('.').some((label) => label.length > MAX_LABEL_LENGTH && isAscii(label))
    ? REASONS.longLabel
    : undefined;

const noLongName: NameRule = (name) => (name.length > MAX_NAME_LENGTH ? REASONS.longName : undefined);

const onlyTrueALabels: NameRule = (name) => {
  const wrong = name.split('.').find((label) => isAscii(label) && hasALabel(label) && !isALabel(label));
  if (wrong === undefined) return undefined;
  return `"${wrong}" is not an A-label: it does not decode to a label that converts back to it. Write the label in Unicode.`;
};

/** RFC 1034, 3.1, with UTS 46: the mapping must not add a dot. */
const noMappedDot: NameRule = (name) =>
  decodeName(name).text.split('.').length === name.split('.').length ? undefined : REASONS.dotLike;

/** UTS 46 maps `℀` to `a/c`, so the mapped characters must follow the same rule as the input. */
const noMappedPunctuation: NameRule = (name) => {
  const { text } = decodeName(name);
  const isSlashMapped = text.split('/').length > name.split('/').length;
  const character = isSlashMapped ? '/' : forbiddenAscii(text);
  if (character === undefined) return undefined;
  return `UTS 46 maps a character to ${codePointOf(character)}, which a name cannot contain. Remove the character.`;
};

const RULES_AS_TYPED = [onlyPlainAscii, noEmptyLabel, noHyphenAtAnEdge, noLongLabel];
const RULES_OF_CONVERSION = [onlyTrueALabels, noMappedDot, noMappedPunctuation];
const RULES_OF_UNICODE = [onlyPlainAscii, noEmptyLabel, noHyphenAtAnEdge];
const RULES_OF_RESULT = [...RULES_AS_TYPED, noLongName];

function firstFault(rules: readonly NameRule[], name: string): string | undefined {
  for (const rule of rules) {
    const reason = rule(name);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function refused(reason: string): Parsed<Fqdn> {
  return { ok: false, reason };
}

function accepted(name: string): Parsed<Fqdn> {
  return { ok: true, value: canonicalName(name) };
}

function resultOf(name: string): Parsed<Fqdn> {
  const fault = firstFault(RULES_OF_RESULT, name);
  return fault === undefined ? accepted(name) : refused(fault);
}

function convert(absolute: string): Parsed<Fqdn> {
  const fault = firstFault(RULES_OF_CONVERSION, absolute);
  if (fault !== undefined) return refused(fault);
  const spelt = spellName(absolute);
  if (spelt === undefined) return refused(REASONS.uts46);
  const unicodeFault = firstFault(RULES_OF_UNICODE, spelt.unicode);
  return unicodeFault === undefined ? resultOf(spelt.ascii) : refused(unicodeFault);
}

function parseAbsolute(absolute: string): Parsed<Fqdn> {
  const convertible = !isAscii(absolute) || hasALabel(absolute);
  if (!convertible && absolute.length <= MAX_NAME_LENGTH && PLAIN_NAME.test(absolute)) {
    return accepted(absolute.toLowerCase());
  }
  const fault = firstFault(RULES_AS_TYPED, absolute);
  if (fault !== undefined) return refused(fault);
  return convertible ? convert(absolute) : resultOf(absolute.toLowerCase());
}

/** The canonical form of a zone name, or why it is invalid. */
export function parseZoneName(text: string): Parsed<Fqdn> {
  if (text === '') return refused(REASONS.empty);
  if (text.length > MAX_TYPED_LENGTH) return refused(REASONS.longName);
  // If both faults apply, the forbidden character is the better reason.
  if (!text.endsWith('.')) return refused(onlyPlainAscii(text) ?? REASONS.finalDot);
  const parsed = parseAbsolute(text);
  return parsed.ok && parsed.value.indexOf('.') === parsed.value.length - 1
    ? refused(REASONS.twoLabels)
    : parsed;
}

/** Like `parseZoneName`, for a line of a file of names: the final dot is optional, and a single label is allowed. */
export function parseListedName(text: string): Parsed<Fqdn> {
  if (text === '') return refused(REASONS.empty);
  if (text.length > MAX_TYPED_LENGTH) return refused(REASONS.longName);
  return parseAbsolute(text.endsWith('.') ? text : `${text}.`);
}

/** The Unicode form of a name; undefined if it has no A-labels. */
export function unicodeForm(name: OwnerName): string | undefined {
  return hasALabel(name) ? decodeName(name).text : undefined;
}

/** All names above `name` that have at least two labels, nearest first. */
export function parentsOf(name: OwnerName): Fqdn[] {
  const labels = name.split('.').slice(0, -1);
  return labels.slice(2).map((_, index) => canonicalName(`${labels.slice(index + 1).join('.')}.`));
}

/**
 * A key whose byte order sorts a name right before all names below it: the labels from the root down, joined by a
 * character that sorts before every character of a name.
 */
export function subtreeKey(name: OwnerName): string {
  if (!ODD_CHARACTER.test(name)) return name.split('.').slice(0, -1).reverse().join('!');
  const labels = name.match(LABEL) ?? [];
  return labels
    .map((label) => label.slice(0, -1).replaceAll('!', '\\033'))
    .reverse()
    .join('!');
}

/** The range of keys of the names strictly below `name`: `from` inclusive, `to` exclusive, in byte order. */
export function subtreeRange(name: OwnerName): { readonly from: string; readonly to: string } {
  const key = subtreeKey(name);
  return { from: `${key}!`, to: `${key}${END_OF_SUBTREE}` };
}

/** A filter on canonical names, converted label by label. A label with `*` is only lowercased. */
export function canonicalFilter(filter: string): string {
  const canonical = (label: string): string => {
    const parsed = isAscii(label) ? undefined : parseListedName(label);
    return parsed?.ok ? parsed.value.slice(0, -1) : label.toLowerCase();
  };
  return filter.split('.').map(canonical).join('.');
}
