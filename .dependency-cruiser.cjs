/** layers.json is the layer table of ARCHITECTURE.md: what each layer may import beside itself, and who imports each package. */
const { layers, packages } = require('./layers.json');

const inLayer = (name) => `^src/${name}(/|\\.ts$)`;

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: inLayer(layer) },
  to: { path: '^src/', pathNot: [layer, ...allowed].map(inLayer) },
}));

const packageRules = Object.entries(packages).map(([name, allowed]) => ({
  name: `package-${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: allowed.map(inLayer) },
  to: { path: `^node_modules/${name}/` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...packageRules,
    {
      name: 'layer-without-a-name',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(layers).map(inLayer) },
      to: {},
    },
    {
      name: 'package-without-a-name',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^node_modules/',
        pathNot: ['@types', ...Object.keys(packages)].map((name) => `^node_modules/${name}/`),
      },
    },
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
