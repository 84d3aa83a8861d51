/** How many times as much as usual is tried: `TEST_RUNS=10 npx vitest run test/api`, or `npm run test:long` for all. */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);
const isFast = (process.env.TEST_SCOPE ?? 'fast') === 'fast';

/**
 * The number of rounds, steps or generated cases of a test whose chance to find a fault grows with it.
 * @param inFast the number in the fast run, if it is smaller there
 */
export const runs = (usual: number, inFast = usual): number => Math.ceil((isFast ? inFast : usual) * FACTOR);

/**
 * The cases of a table that are tried: all of them, but in the fast run only one of a few.
 * @param every the fast run tries every second case, or third, and so on
 * @param from the place of the first of them: tables with the same cases begin at different ones
 */
export const casesOf = <T>(all: readonly T[], every: number, from = 0): readonly T[] =>
  isFast ? all.filter((_, place) => place % every === from % every) : all;
