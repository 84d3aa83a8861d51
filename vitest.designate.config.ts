import { defineConfig } from 'vitest/config';

/** With a real Designate, which has to be installed or unpacked. */
export default defineConfig({
  test: {
    include: ['test/designate/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    pool: 'forks',
  },
});
