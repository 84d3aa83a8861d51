import { parseArgs } from 'node:util';
import { Random } from '../support/random.ts';
import { makeCase } from './matcher-cases.ts';
import { Comparison } from './matcher-compare.ts';
import { IndexComparison } from './matcher-index.ts';
import { Oracle } from './matcher-oracle.ts';

/**
 * The matcher against CPython: `npm run fuzz -- matcher --seed 1 --patterns 50000`. Needs CPython 3.11.7 as `python3`.
 * Ends with status 1 and a small reproduction at the first difference; with `--keep` it goes on to the end first.
 * With `--index` whole indexes of 50 to 200 patterns are compared instead, until so many patterns have been in one.
 */

const BATCH = 200;
/** After so many patterns it says how far it is. */
const PROGRESS = 5000;
/** In seconds: how long CPython may take for one name and one of the patterns of an index. */
const SHORT = 0.1;

interface Reproduction {
  readonly pattern: string;
  readonly name: string | undefined;
  readonly what: string;
}

function withoutOne(text: string): string[] {
  const characters = Array.from(text);
  return characters.map((_, i) => characters.toSpliced(i, 1).join(''));
}

async function firstThatDiffers(
  oracle: Oracle,
  candidates: readonly Omit<Reproduction, 'what'>[],
): Promise<Reproduction | undefined> {
  const comparison = new Comparison();
  for (const { pattern, name } of candidates) {
    const tried = { pattern, names: name === undefined ? [] : [name] };
    const difference = comparison.compare(tried, await oracle.ask(tried));
    if (difference !== undefined) return { pattern, name, what: difference.what };
  }
  return undefined;
}

/** Takes characters away while a difference is left. */
async function reduced(oracle: Oracle, found: Reproduction): Promise<Reproduction> {
  let best = found;
  for (;;) {
    const { pattern, name } = best;
    const shorterNames =
      name === undefined ? [] : withoutOne(name).map((shorter) => ({ pattern, name: shorter }));
    const shorter = [...withoutOne(pattern).map((text) => ({ pattern: text, name })), ...shorterNames];
    const next = await firstThatDiffers(oracle, shorter);
    if (next === undefined) return best;
    best = next;
  }
}

async function runBatch(
  oracle: Oracle,
  random: Random,
  names: number,
  comparison: Comparison,
): Promise<number> {
  const cases = Array.from({ length: BATCH }, () => makeCase(random, names));
  const asked = cases.map((one) => ({ one, answer: oracle.ask(one) }));
  let differences = 0;
  for (const { one, answer } of asked) {
    const difference = comparison.compare(one, await answer);
    if (difference === undefined) continue;
    differences++;
    console.log(
      `difference: ${difference.what}\n  ${JSON.stringify(one.pattern)} ${JSON.stringify(difference.name)}`,
    );
    const small = await reduced(oracle, {
      pattern: one.pattern,
      name: difference.name,
      what: difference.what,
    });
    console.log(`  reduced: ${small.what}\n  ${JSON.stringify(small.pattern)} ${JSON.stringify(small.name)}`);
  }
  return differences;
}

interface Campaign {
  readonly oracle: Oracle;
  readonly random: Random;
  readonly patterns: number;
  readonly names: number;
  readonly keep: boolean;
}

async function comparePatterns({ oracle, random, patterns, names, keep }: Campaign): Promise<number> {
  const comparison = new Comparison();
  let differences = 0;
  const tell = async (): Promise<void> => {
    const counts = JSON.stringify(comparison.counts);
    console.log(`CPython ${await oracle.version}: ${counts}; differences: ${differences}`);
  };
  while (comparison.counts.patterns < patterns && (keep || differences === 0)) {
    differences += await runBatch(oracle, random, names, comparison);
    if (comparison.counts.patterns % PROGRESS === 0) await tell();
  }
  await tell();
  return differences;
}

async function compareIndexes({ oracle, random, patterns, names, keep }: Campaign): Promise<number> {
  const comparison = new IndexComparison();
  let differences = 0;
  while (comparison.counts.patterns < patterns && (keep || differences === 0)) {
    const found = await comparison.compare(oracle, random, names);
    differences += found.length;
    for (const difference of found) console.log(`difference: ${difference}`);
  }
  const counts = JSON.stringify(comparison.counts);
  console.log(`CPython ${await oracle.version}, indexes: ${counts}; differences: ${differences}`);
  return differences;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      patterns: { type: 'string', default: '2000' },
      names: { type: 'string', default: '40' },
      keep: { type: 'boolean', default: false },
      index: { type: 'boolean', default: false },
    },
  });
  const oracle = new Oracle(values.index ? SHORT : 1);
  const campaign = {
    oracle,
    random: new Random(Number(values.seed)),
    patterns: Number(values.patterns),
    names: Number(values.names),
    keep: values.keep,
  };
  console.log(`seed ${values.seed}`);
  const differences = await (values.index ? compareIndexes(campaign) : comparePatterns(campaign));
  oracle.close();
  return differences;
}

process.exitCode = (await main()) === 0 ? 0 : 1;
