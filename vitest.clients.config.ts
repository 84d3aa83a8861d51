import { defineConfig } from 'vitest/config';

/** Other people's clients against the built service: slow, and they have to be installed. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
