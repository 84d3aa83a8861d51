/** The only place where names are looked up: the address connected to is the address checked. */
import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './address-rule.ts';

/**
 * Maximum concurrent lookups in the whole process. An unanswered lookup occupies one of the process's few worker
 * threads and cannot be cancelled.
 */
const MAX_LOOKUPS = 2;

type LookupCallback = (error: NodeJS.ErrnoException | null, found: readonly LookupAddress[]) => void;

const waiting: (() => void)[] = [];
let running = 0;

function startNext(): void {
  if (running >= MAX_LOOKUPS) return;
  const start = waiting.shift();
  if (start === undefined) return;
  running += 1;
  start();
}

function addressesOf(host: string, family: number, answer: LookupCallback): void {
  waiting.push(() => {
    lookup(host, { all: true, family }, (error, found) => {
      running -= 1;
      startNext();
      answer(error, found ?? []);
    });
  });
  startNext();
}

function refusal(host: string, found: readonly LookupAddress[], rule: AddressRule): Error {
  const [first] = found;
  const fault = first && rule(first.address);
  return new Error(`${host}: ${fault ?? 'it has no address'}`);
}

const FAMILIES: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

/** Looks up a name for a connection, and returns only addresses that the rule allows. */
export function checkedLookup(rule: AddressRule): LookupFunction {
  return (host, { all, family = 0 }, callback) => {
    addressesOf(host, FAMILIES[family] ?? Number(family), (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => rule(address) === undefined);
      const [first] = allowed;
      if (first === undefined) return callback(refusal(host, found, rule), '', 0);
      return all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}
