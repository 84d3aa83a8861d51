import { defineConfig } from 'vitest/config';

/** With a real Keystone, which takes half a minute to set up and has to be installed. */
export default defineConfig({
  test: {
    include: ['test/keystone/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
  },
});
