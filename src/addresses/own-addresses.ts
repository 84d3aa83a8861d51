import { networkInterfaces } from 'node:os';
import { Networks } from './networks.ts';

const CACHE_MS = 1000;

let cached = new Networks([]);
let readAt = Number.NEGATIVE_INFINITY;

function read(): Networks {
  const all = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return new Networks(all.map(({ address }) => address));
}

/** True if an interface of this machine had the address within the last second. */
export function isOwnAddress(address: string): boolean {
  const now = performance.now();
  if (now - readAt >= CACHE_MS) {
    cached = read();
    readAt = now;
  }
  return cached.has(address);
}
