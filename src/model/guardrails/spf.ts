/** The syntax of SPF records: RFC 7208, section 12. */
import { isIPv4, isIPv6 } from 'node:net';
import { shown } from '../../dns/rdata/rdata-error.ts';

const VERSION = /^v=spf1(?: |$)/i;
/** Texts that are meant to be SPF records: a longer number is another version. */
const MEANT = /^v=spf1(?![0-9.])/i;

const MACRO = String.raw`%\{[slodiphcrtv][0-9]*r?[.+,/_=-]*\}|%[%_-]`;
const MACRO_STRING = new RegExp(`^(?:${MACRO}|[\\x21-\\x24\\x26-\\x7e])*$`, 'i');
const ENDS_WITH_MACRO = new RegExp(`(?:${MACRO})$`, 'i');
const TOP_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** RFC 7208, section 7.3: a number of labels is not zero. */
const NO_LABELS = /%\{[a-z]0+[^0-9]/i;

const DIRECTIVE = /^[+?~-]?(all|include|a|mx|ptr|ip4|ip6|exists)(?:([:/])(.*))?$/i;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const CIDR = /^(.*?)(?:\/(0|[1-9][0-9]?))?(?:\/\/(0|[1-9][0-9]{0,2}))?$/;

function isMacroString(text: string): boolean {
  return MACRO_STRING.test(text) && !NO_LABELS.test(text);
}

/** A top label is not a number. */
function isTopLabel(label: string): boolean {
  return TOP_LABEL.test(label) && /[a-z-]/i.test(label);
}

function isDomain(text: string): boolean {
  if (!isMacroString(text)) return false;
  const labels = (text.endsWith('.') ? text.slice(0, -1) : text).split('.');
  return (labels.length > 1 && isTopLabel(labels.at(-1)!)) || ENDS_WITH_MACRO.test(text);
}

function isWithin(text: string | undefined, most: number): boolean {
  return text === undefined || Number(text) <= most;
}

/** `a` and `mx`: an optional domain and optional lengths, such as `:example.org/24//64`. */
function isHostArgument(text: string): boolean {
  const [, domain = '', four, six] = CIDR.exec(text) ?? [];
  if (!isWithin(four, 32) || !isWithin(six, 128)) return false;
  return domain === '' || (domain.startsWith(':') && isDomain(domain.slice(1)));
}

function isNetwork(text: string, isAddress: (address: string) => boolean, most: number): boolean {
  const [, address = '', length] = /^:([^/%]+)(?:\/(0|[1-9][0-9]{0,2}))?$/.exec(text) ?? [];
  return isAddress(address) && isWithin(length, most);
}

const isDomainArgument = (text: string): boolean => text.startsWith(':') && isDomain(text.slice(1));

/** Whether the text after the name of a mechanism is allowed. */
const ARGUMENTS: Readonly<Record<string, (text: string) => boolean>> = {
  all: (text) => text === '',
  include: isDomainArgument,
  a: isHostArgument,
  mx: isHostArgument,
  ptr: (text) => text === '' || isDomainArgument(text),
  ip4: (text) => isNetwork(text, isIPv4, 32),
  ip6: (text) => isNetwork(text, isIPv6, 128),
  exists: isDomainArgument,
};

function isDirective(term: string): boolean {
  const [, name = '', sign = '', rest = ''] = DIRECTIVE.exec(term) ?? [];
  return ARGUMENTS[name.toLowerCase()]?.(sign + rest) ?? false;
}

function isModifier(term: string): boolean {
  const [, name = '', value = ''] = MODIFIER.exec(term) ?? [];
  if (name === '') return false;
  return /^(?:redirect|exp)$/i.test(name) ? isDomain(value) : isMacroString(value);
}

/** RFC 7208, section 6. */
function repeatedModifier(terms: readonly string[]): string | undefined {
  return ['redirect', 'exp'].find(
    (name) => terms.filter((term) => term.toLowerCase().startsWith(`${name}=`)).length > 1,
  );
}

/** Whether a text is an SPF record for receivers: it begins with exactly this version (RFC 7208, section 4.5). */
export function isSpf(text: string): boolean {
  return VERSION.test(text);
}

/** Why a text that is meant to be an SPF record is not valid; undefined if it is valid, or is not meant to be one. */
export function spfFault(text: string): string | undefined {
  if (!MEANT.test(text)) return undefined;
  if (!isSpf(text)) return 'a space must follow "v=spf1"';
  const terms = text.split(' ').slice(1);
  const wrong = terms.find((term) => term !== '' && !isDirective(term) && !isModifier(term));
  if (wrong !== undefined) return `the term ${shown(wrong)} is not valid`;
  const repeated = repeatedModifier(terms);
  return repeated && `the modifier "${repeated}" occurs more than once`;
}
