/**
 * The matcher alone: `npm run bench -- matcher [--only scale --only ways --only loops --only catastrophic --only kinds]`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { clockCost, micros } from './matcher/clock.ts';
import { badKinds, catastrophic } from './matcher/hostile.ts';
import { loops, scale } from './matcher/scale.ts';
import { ways } from './matcher/ways.ts';

console.log('# Checks of one name against all patterns\n');
console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? 'an unknown processor'}. Times are in µs. Every check has a`,
);
console.log(
  'name that was not seen before. p50: the median over batches of 20 checks of their mean, since one check is',
);
console.log(
  `too short for the clock; p99: single checks, ${micros(clockCost())} µs for reading the clock included.\n`,
);
const PARTS: Readonly<Record<string, () => void>> = {
  scale: () => {
    scale('plain', 'Half exact names, half subtrees');
    scale('mixed', '90 % exact or subtree, 6.5 % substring, 1.5 % ends, 1.9 % messy, 0.1 % not regular');
  },
  ways: () => {
    ways('plain', 'Half exact names, half subtrees', [10_000, 1_000_000]);
    ways('mixed', '90 % exact or subtree, and others', [10_000, 100_000, 1_000_000]);
  },
  loops,
  catastrophic,
  kinds: badKinds,
};
const { values: options } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
for (const part of options.only ?? Object.keys(PARTS)) PARTS[part]!();
console.log(
  `\nLoad of the machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}.`,
);
