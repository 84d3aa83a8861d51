/** SVCB and HTTPS: RFC 9460. */
import { formatQuoted, unescapeText } from './character-string.ts';
import { bigEndian, type RdataFields } from './fields.ts';
import { RdataError, shown } from './rdata-error.ts';
import { formatKey, keyNumber, MANDATORY, PARAMETERS, WITHOUT_ESCAPES } from './svcb-parameters.ts';
import type { RdataToken } from './tokens.ts';

const EMPTY: readonly number[] = [];
/** Values that need no quotes: no escapes, and unambiguous. */
const BARE = /^[A-Za-z0-9,:./+=_-]+$/;

/** Reads one SvcParam. A missing value is empty. */
function readParameter(token: RdataToken): { key: number; value: readonly number[] } {
  if (token.quoted) {
    throw new RdataError(
      `The parameter ${shown(token.text)} is in quotes. Write key="value", with quotes only after the =.`,
    );
  }
  const equals = token.text.indexOf('=');
  const name = equals < 0 ? token.text : token.text.slice(0, equals);
  const key = keyNumber(name);
  const text = equals < 0 ? '' : token.text.slice(equals + 1) + (token.value ?? '');
  const isNamed = !name.startsWith('key');
  if (isNamed && WITHOUT_ESCAPES.has(key) && text.includes('\\')) {
    throw new RdataError(
      `The value of ${formatKey(key)} contains a backslash, but RFC 9460 allows no escapes here. Write the characters themselves.`,
    );
  }
  const bytes = unescapeText(text);
  const known = PARAMETERS.get(key);
  return { key, value: known !== undefined && isNamed ? known.encode(bytes) : bytes };
}

function takeParameters(fields: RdataFields): Map<number, readonly number[]> {
  const parameters = new Map<number, readonly number[]>();
  while (fields.hasMore) {
    const { key, value } = readParameter(fields.takeToken('parameter'));
    if (parameters.has(key)) {
      throw new RdataError(`The parameter ${formatKey(key)} occurs twice. Remove one.`);
    }
    parameters.set(key, value);
  }
  return parameters;
}

/** RFC 9460 section 8. Section 7.1.1: `no-default-alpn` requires `alpn`. */
function requireConsistent(parameters: ReadonlyMap<number, readonly number[]>): void {
  const mandatory = parameters.get(MANDATORY) ?? EMPTY;
  for (let at = 0; at < mandatory.length; at += 2) {
    const key = mandatory[at]! * 256 + mandatory[at + 1]!;
    if (!parameters.has(key)) {
      throw new RdataError(
        `The parameter ${formatKey(key)} is mandatory but missing. Add it, or remove it from mandatory.`,
      );
    }
  }
  if (parameters.has(2) && !parameters.has(1)) {
    throw new RdataError(
      'The parameter no-default-alpn needs the parameter alpn. Add alpn, or remove no-default-alpn.',
    );
  }
}

/** The canonical text of one SvcParam. @throws RdataError if the value is invalid for its key */
export function formatParameter(key: number, value: readonly number[]): string {
  const text = PARAMETERS.get(key)?.format(value) ?? value;
  if (text.length === 0) return formatKey(key);
  const quoted = formatQuoted(text);
  const bare = quoted.slice(1, -1);
  return `${formatKey(key)}=${BARE.test(bare) ? bare : quoted}`;
}

/**
 * Parameters are sorted by key, as on the wire (section 2.2). An alias, with the priority 0, should not have any, but
 * clients ignore them (section 2.4.2), and zones contain such records.
 */
export function readSvcb(fields: RdataFields): void {
  fields.readNumber('priority', 2);
  fields.readName('target');
  const parameters = takeParameters(fields);
  for (const key of [...parameters.keys()].sort((a, b) => a - b)) {
    const value = parameters.get(key)!;
    fields.write(formatParameter(key, value), [
      ...bigEndian(key, 2),
      ...bigEndian(value.length, 2),
      ...value,
    ]);
  }
  requireConsistent(parameters);
}
