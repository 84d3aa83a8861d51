import type { OwnerName } from '../../dns/names.ts';
import type { HostAddresses } from '../../domain/dyndns/address-intents.ts';
import type { HostOutcome, HostOutcomes, HostUpdateUseCases } from '../../domain/dyndns/host-updates.ts';
import type { DomainError } from '../../model/errors.ts';
import { answerTo, EdgeError } from '../edge/errors.ts';
import { TEXT_TYPE } from '../edge/responses.ts';
import { type ApiReply, type Route, route } from '../edge/route.ts';
import { DYNDNS, reasonHeader } from './protocol.ts';
import { addressesOf, hostOf, updateQuery } from './update-query.ts';

/** Maximum number of hosts in a request, as the protocol has it. */
const MAX_HOSTS = 20;
const REFUSED = '911';

/** The address of the client as that of the hosts. @throws EdgeError `bad_request` if it is none, or of one link only */
function clientAddresses(address: string): HostAddresses {
  const addresses = addressesOf([address]);
  if (addresses !== undefined) return addresses;
  throw new EdgeError(
    'bad_request',
    `The hosts cannot have the address of the client: ${address}. Send myip.`,
  );
}

function lineOf(outcome: HostOutcome, addresses: string): string {
  switch (outcome.kind) {
    case 'changed':
      return `good ${addresses}`;
    case 'unchanged':
      return `nochg ${addresses}`;
    case 'no zone':
      return 'nohost';
    default:
      return REFUSED;
  }
}

function refusalsIn(outcomes: HostOutcomes): readonly DomainError[] {
  return [...outcomes.values()].flatMap((one) => (one.kind === 'refused' ? [one.error] : []));
}

/** Throws a refusal that may pass, if no host has the address now. */
function requireLasting(outcomes: HostOutcomes): void {
  const isDone = [...outcomes.values()].some(({ kind }) => kind === 'changed' || kind === 'unchanged');
  const passing = refusalsIn(outcomes).find(({ kind }) => [429, 503].includes(answerTo(kind).status));
  if (passing !== undefined && !isDone) throw passing;
}

/** A line for each host, or one for all if nothing else was refused. */
function linesOf(
  hosts: readonly (OwnerName | undefined)[],
  outcomes: HostOutcomes,
  { A: ipv4, AAAA: ipv6 }: HostAddresses,
): readonly string[] {
  const shown = [ipv4, ipv6].filter((one) => one !== undefined).join(',');
  const lines = hosts.map((host) => (host === undefined ? 'notfqdn' : lineOf(outcomes.get(host)!, shown)));
  return lines.every((line) => line === REFUSED) ? [REFUSED] : lines;
}

function reply(
  lines: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): ApiReply<200, string> {
  return { status: 200, headers, body: `${lines.join('\n')}\n` };
}

/** dyndns2: sets the addresses of hosts. */
export function dyndnsRoute({ update }: HostUpdateUseCases): Route {
  return route({
    method: 'GET',
    path: '/nic/update',
    guard: { rule: 'change_recordsets', about: 'own project' },
    scopedReach: 'by scope',
    operationId: 'updateHosts',
    changesByGet: true,
    protocol: DYNDNS,
    query: updateQuery,
    responses: {
      status: 200,
      headers: ['Warning'],
      forms: [
        {
          mediaType: TEXT_TYPE,
          schema: {
            type: 'string',
            description:
              'A line for each host: "good" or "nochg" with the addresses, "nohost", "notfqdn" or "911". "numhost" or "911" alone for all.',
            examples: ['good 192.0.2.1\nnochg 192.0.2.1\n'],
          },
        },
      ],
    },
    async handle({ context, query: { hostnames, addresses: given }, address }) {
      if (hostnames.length === 0) return reply(['notfqdn']);
      if (hostnames.length > MAX_HOSTS) return reply(['numhost']);
      const addresses = Object.keys(given).length === 0 ? clientAddresses(address) : given;
      const hosts = hostnames.map(hostOf);
      const known = hosts.filter((host) => host !== undefined);
      const outcomes = await update(context, known, addresses);
      requireLasting(outcomes);
      const messages = refusalsIn(outcomes).map(({ message }) => message);
      return reply(linesOf(hosts, outcomes, addresses), reasonHeader(messages));
    },
  });
}
