/** SvcParamKeys with their own value format: RFC 9460 section 7, RFC 9461 section 5, RFC 9540 section 4. */
import { decodeIpv4, decodeIpv6, formatIpv4, formatIpv6 } from './addresses.ts';
import { decodeBase64, formatBase64 } from './binary.ts';
import { RdataError, shown } from './rdata-error.ts';

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
function splitList(text: Bytes): number[][] {
  const items: number[][] = [[]];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === COMMA) {
      items.push([]);
      continue;
    }
    if (text[at] === BACKSLASH) {
      at += 1;
      if (text[at] !== COMMA && text[at] !== BACKSLASH)
        refuse(1, 'has a backslash in a protocol. Write each as four: \\\\\\\\.');
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

const alpn: Parameter = {
  encode: (text) =>
    splitList(text).flatMap((id) => {
      if (id.length === 0 || id.length > 255)
        refuse(1, 'has a protocol that is empty or longer than 255 bytes. Write a list such as h2,h3.');
      return [id.length, ...id];
    }),
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

const PORT = /^[0-9]{1,5}$/;

const port: Parameter = {
  encode: (text) => {
    const value = PORT.test(latin1(text)) ? Number(latin1(text)) : 65_536;
    return value > 65_535 ? refuse(3, 'must be a whole number from 0 to 65535.') : [value >> 8, value & 0xff];
  },
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

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Bytes): boolean {
  try {
    UTF8.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

/** RFC 9461 section 5: a relative URI template in UTF-8, with the variable dns. */
const dohpath: Parameter = {
  encode: (text) => text,
  format: (wire) => {
    const template = latin1(wire);
    const isTemplate = template.startsWith('/') && template.includes('{?dns}') && isUtf8(wire);
    return isTemplate
      ? wire
      : refuse(7, 'is not a path with the variable dns. Write a path such as /dns-query{?dns}.');
  },
};

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
]);
