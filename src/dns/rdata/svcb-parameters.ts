/**
 * SvcParamKeys with their own value format: RFC 9460 section 7, RFC 9461 section 5, RFC 9540 section 4, and the keys that
 * their IANA registry has besides.
 */
import { decodeIpv4, decodeIpv6, formatIpv4, formatIpv6 } from './addresses.ts';
import { decodeBase64, formatBase64 } from './binary.ts';
import { RdataError, shown } from './rdata-error.ts';
import { isPathTemplate } from './uri-template.ts';

type Bytes = readonly number[];

/** Converts between the text of a value, with quotes and escapes already decoded, and its wire form. */
interface Parameter {
  /** @throws RdataError */
  encode(text: Bytes): Bytes;
  /** Also validates, since the value may have been written in the general form keyN. @throws RdataError */
  format(wire: Bytes): Bytes;
}

export const MANDATORY = 0;

const NAMES = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
  'ohttp',
  'tls-supported-groups',
  'docpath',
  'pvd',
] as const;
/** Keys with later names are read by name but written as keyN: not all name servers in use know them. */
const WRITTEN_BY_NAME = 7;
const GENERAL = /^key(0|[1-9][0-9]{0,4})$/;
const INVALID_KEY = 65_535;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

const latin1 = (bytes: Bytes): string => Buffer.from(bytes).toString('latin1');
const fromLatin1 = (text: string): number[] => [...Buffer.from(text, 'latin1')];

/** Names must be lower case (RFC 9460 section 2.1). @throws RdataError */
export function keyNumber(name: string): number {
  const known = (NAMES as readonly string[]).indexOf(name);
  if (known >= 0) return known;
  const number = Number(GENERAL.exec(name)?.[1] ?? INVALID_KEY);
  if (number < INVALID_KEY) return number;
  throw new RdataError(
    `The parameter ${shown(name)} is unknown. Use one of ${NAMES.join(', ')}, or keyN with N from 0 to 65534, in lower case.`,
  );
}

export function formatKey(key: number): string {
  return key <= WRITTEN_BY_NAME ? NAMES[key]! : `key${key}`;
}

function refuse(key: number, why: string): never {
  throw new RdataError(`The value of ${formatKey(key)} ${why}`);
}

/** RFC 9460 appendix A.1: comma-separated items; a backslash may only escape a comma or a backslash. */
function splitList(text: Bytes, key: number): number[][] {
  const items: number[][] = [[]];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === COMMA) {
      items.push([]);
      continue;
    }
    if (text[at] === BACKSLASH) {
      at += 1;
      if (text[at] !== COMMA && text[at] !== BACKSLASH)
        refuse(key, 'has a backslash in an item. Write each as four: \\\\\\\\.');
    }
    items.at(-1)!.push(text[at]!);
  }
  return items;
}

const escapeItem = (item: Bytes): number[] =>
  item.flatMap((byte) => (byte === COMMA || byte === BACKSLASH ? [BACKSLASH, byte] : [byte]));

const mandatory: Parameter = {
  encode: (text) =>
    latin1(text)
      .split(',')
      .map(keyNumber)
      .sort((a, b) => a - b)
      .flatMap((key) => [key >> 8, key & 0xff]),
  format: (wire) => {
    const keys: number[] = [];
    for (let at = 0; at < wire.length; at += 2) {
      const key = wire[at]! * 256 + (wire[at + 1] ?? Number.NaN);
      if (!(key > (keys.at(-1) ?? 0) && key < INVALID_KEY)) {
        refuse(MANDATORY, 'must name other parameters, each once, in ascending order.');
      }
      keys.push(key);
    }
    if (keys.length === 0) refuse(MANDATORY, 'is empty. Name the mandatory parameters, or remove mandatory.');
    return fromLatin1(keys.map(formatKey).join(','));
  },
};

const encodeList = (text: Bytes, key: number): number[] =>
  splitList(text, key).flatMap((item) => {
    if (item.length === 0 || item.length > 255)
      refuse(key, 'has an item that is empty or longer than 255 bytes. Write a list such as h2,h3.');
    return [item.length, ...item];
  });

const alpn: Parameter = {
  encode: (text) => encodeList(text, 1),
  format: (wire) => {
    const text: number[] = [];
    let at = 0;
    while (at < wire.length) {
      const length = wire[at]!;
      if (length === 0 || at + length >= wire.length)
        refuse(1, 'is not a list of protocols. Write a list such as h2,h3.');
      if (at > 0) text.push(COMMA);
      text.push(...escapeItem(wire.slice(at + 1, at + 1 + length)));
      at += length + 1;
    }
    return text.length === 0 ? refuse(1, 'is empty. Write a list such as h2,h3, or remove alpn.') : text;
  },
};

/** A key without a value. */
const flag = (key: number): Parameter => ({
  encode: (text) => text,
  format: (wire) =>
    wire.length === 0 ? wire : refuse(key, 'must be empty. Write only the name of the parameter.'),
});

const SHORT_NUMBER = /^[0-9]{1,5}$/;

/** A number of two bytes; undefined if the text is none. */
function twoBytes(text: string): number[] | undefined {
  const value = SHORT_NUMBER.test(text) ? Number(text) : 65_536;
  return value > 65_535 ? undefined : [value >> 8, value & 0xff];
}

const port: Parameter = {
  encode: (text) => twoBytes(latin1(text)) ?? refuse(3, 'must be a whole number from 0 to 65535.'),
  format: (wire) =>
    wire.length === 2
      ? fromLatin1(String(wire[0]! * 256 + wire[1]!))
      : refuse(3, 'does not have two bytes. Write port=N.'),
};

function addresses(key: number, size: 4 | 16): Parameter {
  const decode = size === 4 ? decodeIpv4 : decodeIpv6;
  const format = size === 4 ? formatIpv4 : formatIpv6;
  return {
    encode: (text) => latin1(text).split(',').flatMap(decode),
    format: (wire) => {
      if (wire.length === 0 || wire.length % size !== 0) {
        refuse(
          key,
          'is not a list of addresses. Write addresses separated by commas, or remove the parameter.',
        );
      }
      const texts: string[] = [];
      for (let at = 0; at < wire.length; at += size) texts.push(format(wire.slice(at, at + size)));
      return fromLatin1(texts.join(','));
    },
  };
}

const ech: Parameter = {
  encode: (text) => decodeBase64(latin1(text), 'value of ech'),
  format: (wire) =>
    wire.length === 0
      ? refuse(5, 'is empty. Write the ECHConfigList in base64.')
      : fromLatin1(formatBase64(wire)),
};

/** RFC 9461 section 5: a relative URI template in UTF-8, with the variable dns. */
const dohpath: Parameter = {
  encode: (text) => text,
  format: (wire) =>
    isPathTemplate(wire, 'dns')
      ? wire
      : refuse(
          7,
          'is not a URI template of a path with the variable dns (RFC 6570). Write a path such as /dns-query{?dns}.',
        ),
};

/**
 * A key whose value is checked only if it is written by name. Written as keyN, as earlier versions took it, it may have
 * any value, and it is always written that way.
 */
const named = (encode: Parameter['encode']): Parameter => ({ encode, format: (wire) => wire });

/** TLS groups by their numbers (draft-ietf-tls-key-share-prediction). */
const tlsSupportedGroups = named((text) => {
  const groups = latin1(text).split(',');
  if (new Set(groups.map(Number)).size < groups.length) refuse(9, 'names a group twice. Remove one.');
  const wrong = 'is not a list of numbers from 0 to 65535. Write a list such as 29,23.';
  return groups.flatMap((group) => twoBytes(group) ?? refuse(9, wrong));
});

/** The segments of a path, or none: DNS over CoAP (RFC 9953). */
const docpath = named((text) => (text.length === 0 ? text : encodeList(text, 10)));

/** Provisioning domains (draft-ietf-intarea-proxy-config). */
const pvd = named((text) =>
  text.length === 0 ? text : refuse(11, 'must be empty. Write only the name of the parameter.'),
);

/** Keys whose values allow no escapes if written by name (RFC 9460 sections 7.2, 7.3 and 8; RFC 9848). */
export const WITHOUT_ESCAPES: ReadonlySet<number> = new Set([MANDATORY, 3, 4, 5, 6]);

export const PARAMETERS: ReadonlyMap<number, Parameter> = new Map([
  [MANDATORY, mandatory],
  [1, alpn],
  [2, flag(2)],
  [3, port],
  [4, addresses(4, 4)],
  [5, ech],
  [6, addresses(6, 16)],
  [7, dohpath],
  [8, flag(8)],
  [9, tlsSupportedGroups],
  [10, docpath],
  [11, pvd],
]);
