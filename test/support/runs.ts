/** How many times as much as usual is tried: `TEST_RUNS=10 npx vitest run test/api`, or `npm run test:long` for all. */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);
const isShort = process.env.TEST_SCOPE !== 'full';

/**
 * The number of rounds, steps or generated cases of a test whose chance to find a fault grows with it.
 * @param inShort the number outside the full run, if it is smaller there
 */
export const runs = (usual: number, inShort = usual): number =>
  Math.ceil((isShort ? inShort : usual) * FACTOR);

/**
 * The cases of a table that are tried: all of them in the full run, elsewhere one of a few.
 * @param every outside the full run, every second case is tried, or every third, and so on
 * @param from the place of the first of them: tables with the same cases begin at different ones
 */
export const casesOf = <T>(all: readonly T[], every: number, from = 0): readonly T[] =>
  isShort ? all.filter((_, place) => place % every === from % every) : all;
