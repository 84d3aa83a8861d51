import { defineConfig } from 'vitest/config';

/** The console in the browser that is installed (Debian: chromium), before the service as it is built. */
export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
