/** How many times as much as usual is tried: `TEST_RUNS=10 npx vitest run test/api`, or `npm run test:long` for all. */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);
const isFast = (process.env.TEST_SCOPE ?? 'fast') === 'fast';

/**
 * The number of rounds, steps or generated cases of a test whose chance to find a fault grows with it.
 * @param inFast the number in the fast run, if it is smaller there
 */
export const runs = (usual: number, inFast = usual): number => Math.ceil((isFast ? inFast : usual) * FACTOR);
