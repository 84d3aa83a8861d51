/** SVCB mapping for DNS servers (RFC 9461). */
import { tokenizeLine } from './tokens.ts';

/** Owner names of such records: `_dns.resolver.example.`, or `_8053._dns.…` with a port. */
const OWNER = /^(?:_[0-9]{1,5}\.)?_dns\./;
/** ALPN identifiers of HTTP. */
const HTTP = /^(?:http\/[0-9.]+|h2c?|h3(?:-[0-9]+)?)$/;

/**
 * Why this SVCB is invalid at its owner name, or undefined: section 5 requires `dohpath` if `alpn` includes HTTP. It is
 * not about aliases, whose parameters mean nothing.
 * @param rdata in canonical form
 */
export function dnsServiceFault(name: string, rdata: string): string | undefined {
  if (!OWNER.test(name)) return undefined;
  const [priority, , ...parameters] = tokenizeLine(rdata);
  if (priority?.text === '0') return undefined;
  const parameter = (key: string) => {
    const found = parameters.find(({ text }) => text.startsWith(`${key}=`));
    return found && found.text.slice(key.length + 1) + (found.value ?? '');
  };
  const isHttp =
    parameter('alpn')
      ?.split(',')
      .some((id) => HTTP.test(id)) ?? false;
  if (!isHttp || parameter('dohpath') !== undefined) return undefined;
  return 'A record at _dns with HTTP in alpn needs dohpath (RFC 9461). Add it, such as dohpath=/dns-query{?dns}.';
}
