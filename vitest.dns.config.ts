import { defineConfig } from 'vitest/config';

/** Real name servers behind the built service: they have to be installed. */
export default defineConfig({
  test: {
    include: ['test/name-servers/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
