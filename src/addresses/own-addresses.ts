import { networkInterfaces } from 'node:os';
import { Networks } from './networks.ts';

/** How long the addresses of the interfaces are cached, in milliseconds. */
const FRESH_MS = 1000;

let known = new Networks([]);
let readAt = Number.NEGATIVE_INFINITY;

function read(): Networks {
  const all = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Networks(all.map(({ address }) => address));
}

/** True if an interface of this machine had the address within the last second. */
export function isOwnAddress(address: string): boolean {
  const now = performance.now();
  if (now - readAt >= FRESH_MS) {
    known = read();
    readAt = now;
  }
  return known.has(address);
}
