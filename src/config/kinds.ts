import { isIP } from 'node:net';
import { parseZoneName } from '../dns/names.ts';
import { NUMBERED_TYPES, parseRecordType, type StoredType } from '../dns/record-types.ts';

/** A kind of option. `read` parses its text, and throws BadValue with what to write instead. */
export interface OptionKind<T> {
  readonly name: string;
  read(text: string): T;
  /**
   * The part of a value that may be shown, for values that can contain a secret. Error messages then omit the text as
   * well.
   */
  shown?(value: T): string;
}

export class InvalidValueError extends Error {}

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** One line of text. */
export const text: OptionKind<string> = {
  name: 'text',
  read(value) {
    if (/\p{Control}/u.test(value) || value !== value.trim()) {
      throw new InvalidValueError('Must be one line without control characters or surrounding white space.');
    }
    return value;
  },
};

export function required(kind: string): OptionKind<string> {
  return {
    name: kind,
    read(value) {
      if (value === '') throw new InvalidValueError('Must not be empty. Set a value, or remove the option.');
      return text.read(value);
    },
  };
}

/** Accepts what oslo.config accepts as a boolean. */
export const flag: OptionKind<boolean> = {
  name: 'true or false',
  read(value) {
    if (/^(1|true|on|yes)$/i.test(value)) return true;
    if (/^(0|false|off|no)$/i.test(value)) return false;
    throw new InvalidValueError('Must be true or false.');
  },
};

export function integer(min: number, max: number): OptionKind<number> {
  return {
    name: `integer, ${min} to ${max}`,
    read(value) {
      const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max))
        throw new InvalidValueError(`Must be a whole number from ${min} to ${max}.`);
      return number;
    },
  };
}

/** A number with at most two decimal places. */
export function decimal(min: number, max: number): OptionKind<number> {
  return {
    name: `number, ${min} to ${max}`,
    read(value) {
      const number = /^\d{1,15}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max))
        throw new InvalidValueError(
          `Must be a number from ${min} to ${max}, with at most two decimal places.`,
        );
      return number;
    },
  };
}

export function choice<const T extends string>(values: readonly T[]): OptionKind<T> {
  return {
    name: `one of ${values.join(', ')}`,
    read(value) {
      const chosen = values.find((one) => one === value);
      if (chosen === undefined) throw new InvalidValueError(`Must be one of: ${values.join(', ')}.`);
      return chosen;
    },
  };
}

/** A record type by its name or number, or all types that have only a number. */
export const recordType: OptionKind<StoredType | typeof NUMBERED_TYPES> = {
  name: `record type, or ${NUMBERED_TYPES}`,
  read(value) {
    if (value === NUMBERED_TYPES) return value;
    const type = parseRecordType(value);
    if (type.ok) return type.value;
    throw new InvalidValueError(`${type.reason} ${NUMBERED_TYPES} means all types that only have a number.`);
  },
};

export function listOf<T>(item: OptionKind<T>, min = 0): OptionKind<readonly T[]> {
  return {
    name: `comma-separated list of ${item.name}`,
    read(value) {
      const items = value.split(',').map((one) => one.trim());
      const values = items.filter((one) => one !== '').map((one) => item.read(one));
      if (values.length < min) throw new InvalidValueError(`Must list at least ${min}.`);
      return [...new Set(values)];
    },
  };
}

export const address: OptionKind<HostAndPort> = {
  name: 'host:port',
  read(value) {
    const [, v6, host, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(value) ?? [];
    const number = Number(port);
    if (port === undefined || number > 65535 || (v6 !== undefined && isIP(v6) !== 6)) {
      throw new InvalidValueError('Must be host:port, such as 127.0.0.1:9001 or [::1]:9001.');
    }
    return { host: v6 ?? host ?? '', port: number };
  },
};

/** An optional address; a bare port is on 127.0.0.1. */
export const addressOrPort: OptionKind<HostAndPort | undefined> = {
  name: 'host:port, or a port',
  read(value) {
    if (value === '') return undefined;
    return address.read(/^\d{1,5}$/.test(value) ? `127.0.0.1:${value}` : value);
  },
};

export const httpUrl: OptionKind<string> = {
  name: 'http or https URL',
  read(value) {
    if (value === '') return '';
    // The text goes into every link as written, so it must not need any correction by the parser.
    const isPlain = /^https?:\/\/[!-~]+$/i.test(value) && !/[?#@\\"<>]/.test(value);
    if (!isPlain || !URL.canParse(value))
      throw new InvalidValueError(
        'Must be an http or https URL without query or fragment, such as https://dns.example.com.',
      );
    return value.replace(/\/+$/, '');
  },
};

export const network: OptionKind<string> = {
  name: 'IP address or CIDR block',
  read(value) {
    const [host, prefixLength, ...rest] = value.split('/');
    const family = isIP(host ?? '');
    // Fastify does not support the prefix length 0: an operator who trusts every peer has no use for the list.
    const hasValidPrefixLength =
      prefixLength === undefined ||
      (/^[1-9]\d{0,2}$/.test(prefixLength) && Number(prefixLength) <= (family === 4 ? 32 : 128));
    if (family === 0 || rest.length > 0 || !hasValidPrefixLength) {
      throw new InvalidValueError('Must be an IP address or CIDR block, such as 10.0.0.0/8.');
    }
    return value;
  },
};

/** Stands for every public Internet address, where networks are listed. */
export const PUBLIC = 'public';

export const publicOrNetwork: OptionKind<string> = {
  name: `${PUBLIC}, or ${network.name}`,
  read: (value) => (value === PUBLIC ? PUBLIC : network.read(value)),
};

export const hostName: OptionKind<string> = {
  name: 'host name with a final dot',
  read(value) {
    const parsed = parseZoneName(value);
    if (!parsed.ok) throw new InvalidValueError(parsed.reason);
    return parsed.value;
  },
};
