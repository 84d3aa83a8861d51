import { InvalidValueError, type OptionKind } from './kinds.ts';

const HOST = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^:@/?#,[\]]*)(?::\d*)?`;
/**
 * Scheme, user and password, servers, database, parameters. Strings in any other form are refused, because it is
 * unclear where their password ends. So "/", "?" and "#" in a password must be percent-encoded (RFC 3986, section
 * 3.2.1).
 */
const FORM = new RegExp(
  `^(postgres(?:ql)?://)(?:([^/?#]*)@)?(${HOST}(?:,${HOST})*)(/[^/?#@]*)?(?:\\?([^?#@]*))?$`,
);

/** The parameters that may be shown. Any other may hold a secret. */
const SHOWN: ReadonlySet<string> = new Set([
  'application_name',
  'channel_binding',
  'client_encoding',
  'connect_timeout',
  'dbname',
  'fallback_application_name',
  'host',
  'keepalives',
  'load_balance_hosts',
  'options',
  'port',
  'ssl',
  'sslcert',
  'sslcrl',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'target_session_attrs',
  'uselibpqcompat',
  'user',
]);

/** True if a parameter may be shown. One whose value looks like another parameter may not. */
function isShown(parameter: string): boolean {
  const [, name, value] = /^([^=]*)=(.*)$/.exec(parameter) ?? [];
  return name !== undefined && SHOWN.has(name) && !/[=;]/.test(value!);
}

/** A connection string without its password and unknown parameters; empty for text in any other form. */
export function withoutPassword(url: string): string {
  const [, scheme, owner, hosts, database = '', query = ''] = FORM.exec(url) ?? [];
  if (scheme === undefined) return '';
  const user = owner === undefined ? '' : `${owner.split(':', 1)[0]}@`;
  const parameters = query.split('&').filter(isShown);
  return `${scheme}${user}${hosts}${database}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}

export const connection: OptionKind<string> = {
  name: 'postgresql URL',
  read(value) {
    if (value === '' || (/^[!-~]+$/.test(value) && FORM.test(value))) return value;
    throw new InvalidValueError(
      'Must be postgresql://user:password@host:port/database. Within a part, write "/", "?", "#" and "@" as %2F, %3F, %23 and %40.',
    );
  },
  shown: withoutPassword,
};
