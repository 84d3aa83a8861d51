/** How many times as much as usual is tried: `TEST_RUNS=10 npx vitest run test/api`, or `npm run test:long` for all. */
const FACTOR = Number(process.env.TEST_RUNS ?? 1);

/** The number of rounds, steps or generated cases of a test whose chance to find a fault grows with it. */
export const runs = (usual: number): number => Math.ceil(usual * FACTOR);
