// The layer table of ARCHITECTURE.md, as a program. A layer may import itself, what stands here, and nothing else of ours.
const layers = {
  dns: [],
  domain: ['dns'],
  matcher: [],
  policy: ['domain'],
  identity: ['domain'],
  storage: ['dns', 'domain'],
  http: ['dns', 'domain'],
  cli: ['config', 'storage', 'domain', 'matcher', 'identity', 'dns', 'settings'],
};

/** npm packages that one layer alone may import; every other layer is refused. */
const packages = {
  dns: ['tr46'],
  policy: ['yaml'],
  storage: ['kysely', '@photostructure/sqlite', 'pg', 'pg-connection-string'],
  http: ['fastify'],
  cli: ['commander', 'cli-progress'],
};

const inLayer = (name) => `^src/${name}(/|\\.ts$)`;

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: inLayer(layer) },
  to: { path: '^src/', pathNot: [layer, ...allowed].map(inLayer) },
}));

const packageRules = Object.entries(packages).map(([layer, names]) => ({
  name: `packages-of-${layer}`,
  severity: 'error',
  from: { path: '^src/', pathNot: inLayer(layer) },
  to: { path: names.map((name) => `^node_modules/${name}/`) },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...packageRules,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'src-is-apart',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|trials|bench|scripts)/' },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], pathNot: '@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: '^dist' },
  },
};
