#!/usr/bin/env node
// Any Node.js that reads ES modules must be able to load this file: no static imports and no newer syntax.

/** The oldest Node.js that is supported: "engines" in package.json. */
const OLDEST = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor)) {
  const needed = `${OLDEST.major}.${OLDEST.minor}`;
  process.stderr.write(`Zonewarden needs Node.js ${needed} or later; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  void import('./cli/run.ts');
}

export {};
