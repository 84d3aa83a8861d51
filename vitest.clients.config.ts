import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 180_000, hookTimeout: 60_000, pool: 'forks' as const };

/** Other people's clients against the built service: slow, and they have to be installed. */
const programs = { ...shared, name: 'programs', include: ['test/clients/*.test.ts'] };

/** Those of `docs/clients/`, which share one Keystone, and one service that publishes to a BIND. */
const pages = {
  ...shared,
  name: 'pages',
  include: ['test/clients/pages/*.test.ts'],
  globalSetup: 'test/support/clients/cloud.ts',
};

export default defineConfig({ test: { projects: [{ test: programs }, { test: pages }] } });
