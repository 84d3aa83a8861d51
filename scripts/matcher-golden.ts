import { writeFileSync } from 'node:fs';
import type { Case } from '../test/fuzz/matcher-cases.ts';
import { makeCase } from '../test/fuzz/matcher-cases.ts';
import { Oracle } from '../test/fuzz/matcher-oracle.ts';
import { HAND_WRITTEN } from '../test/matcher/golden-cases.ts';
import { Random } from '../test/support/random.ts';

/**
 * Writes test/matcher/matcher.golden.json with CPython's verdicts: `npm run golden:matcher`. What takes CPython longer
 * than 50 ms, or makes it fail, is left out and counted.
 */

const GENERATED = 4000;
const NAMES = 12;

async function main(): Promise<void> {
  const random = new Random(20_260_101);
  const generated = Array.from({ length: GENERATED }, () => makeCase(random, NAMES));
  const distinct = generated.map(({ pattern, names }) => ({ pattern, names: [...new Set(names)] }));
  const cases: Case[] = [...HAND_WRITTEN, ...distinct];
  const oracle = new Oracle(0.05);
  const lines: string[] = [];
  let leftOut = 0;
  for (const { pattern, names } of cases) {
    const answer = await oracle.ask({ pattern, names });
    if (typeof answer !== 'string') {
      if ('error' in answer) lines.push(JSON.stringify([pattern, answer.error, answer.position]));
      continue;
    }
    const told = names.filter((_, i) => answer[i] === 'm' || answer[i] === 'n');
    leftOut += names.length - told.length;
    lines.push(JSON.stringify([pattern, told, answer.replace(/[rt]/g, '')]));
  }
  const head = `"python":${JSON.stringify(await oracle.version)},"leftOut":${leftOut}`;
  writeFileSync('test/matcher/matcher.golden.json', `{${head},"cases":[\n${lines.join(',\n')}\n]}\n`);
  oracle.close();
}

await main();
