// Prints the modules of src and console, each with the modules that it imports, and says whether any import each other in a circle.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The modules of each layer, in order; at `*` stand those that are not named. A layer that is not named is one module. */
const orders = JSON.parse(readFileSync('modules.json', 'utf8'));

/** The module of a file, such as `domain/zones`; undefined outside src and console. */
function moduleOf(file) {
  const [, layer, rest] = /^(?:src\/)?([^/]+)\/(.*)$/.exec(file) ?? [];
  if (layer === undefined || !/^(src|console)\//.test(file)) return undefined;
  const order = orders[layer];
  if (order === undefined) return layer;
  const module = order.find((name) => name !== '*' && new RegExp(`^${name}(/|\\.tsx?$)`).test(rest));
  return `${layer}/${module ?? rest.replace(/(\/|\.tsx?$).*/, '')}`;
}

const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
const cruised = execFileSync('npx', ['depcruise', 'src', 'console', ...options], { maxBuffer: 2 ** 28 });
const imports = new Map();
for (const { source, dependencies } of JSON.parse(cruised).modules) {
  const module = moduleOf(source);
  if (module === undefined) continue;
  if (!imports.has(module)) imports.set(module, new Set());
  for (const { resolved } of dependencies) {
    const imported = moduleOf(resolved);
    if (imported !== undefined && imported !== module) imports.get(module).add(imported);
  }
}

/** Modules in an order in which each comes after those that it imports, and those that no such order has. */
function sorted() {
  const done = new Set();
  const left = new Set([...imports.keys()].sort());
  for (let isStuck = false; !isStuck; ) {
    isStuck = true;
    for (const module of left) {
      if (![...imports.get(module)].every((imported) => done.has(imported))) continue;
      done.add(module);
      left.delete(module);
      isStuck = false;
    }
  }
  return { done, left };
}

const { done, left } = sorted();
for (const module of done) console.log(`${module}: ${[...imports.get(module)].sort().join(', ') || '–'}`);
if (left.size > 0) {
  console.log(`In a circle, or above one: ${[...left].join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`${done.size} modules; none import each other in a circle.`);
}
