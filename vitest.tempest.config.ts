import { defineConfig } from 'vitest/config';

/** The tests of Designate itself, through a real Keystone and with a real BIND: they have to be installed. */
export default defineConfig({
  test: {
    include: ['test/tempest/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 3_600_000,
    pool: 'forks',
  },
});
