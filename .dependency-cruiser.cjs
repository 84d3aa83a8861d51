/** layers.json is the layer table of ARCHITECTURE.md: what each layer may import beside itself, and who imports each package. */
const { layers, packages } = require('./layers.json');
/**
 * The modules of a layer, each a folder or a file of its own, in order: each may import those before it. Where a layer has
 * a `*`, modules that it does not name stand there: resources, which may not import each other.
 */
const modules = require('./modules.json');

const inLayer = (name) => `^src/${name}(/|\\.ts$)`;

const layerRules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: inLayer(layer) },
  to: { path: '^src/', pathNot: [layer, ...allowed].map(inLayer) },
}));

const folderOf = (layer) => (layer === 'console' ? '^console' : `^src/${layer}`);
const inModule = (layer, name) => `${folderOf(layer)}/${name}(?:/|\\.tsx?$)`;
/** The rest of a path in a layer, from a module that the order does not name; its first group is the name of that module. */
const unnamed = (order) =>
  `(?!(?:${order.filter((one) => one !== '*').join('|')})(?:/|\\.tsx?$))([^/.]+)(?:/|\\.tsx?$)`;

const moduleRules = Object.entries(modules).flatMap(([layer, order]) => {
  const inOrder = (name) => (name === '*' ? `${folderOf(layer)}/${unnamed(order)}` : inModule(layer, name));
  return order.map((name, place) => ({
    name: `module-${layer}-${name.replace('/', '-')}`,
    severity: 'error',
    from: { path: inOrder(name) },
    to: {
      path: `${folderOf(layer)}/`,
      pathNot: [
        '\\.css$',
        ...order.slice(0, place).map(inOrder),
        name === '*' ? inModule(layer, '$1') : inModule(layer, name),
      ],
    },
  }));
});

/** A layer without a `*` names every module. */
const nameRules = Object.entries(modules)
  .filter(([, order]) => !order.includes('*'))
  .map(([layer, order]) => ({
    name: `module-of-${layer}-without-a-name`,
    severity: 'error',
    from: { path: `${folderOf(layer)}/.*\\.tsx?$`, pathNot: order.map((name) => inModule(layer, name)) },
    to: {},
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
    ...moduleRules,
    ...nameRules,
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
