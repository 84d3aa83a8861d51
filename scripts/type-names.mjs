// Fails if two types of src have one name, and lists them. Types within a function do not count.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const places = new Map();
for (const name of readdirSync('src', { recursive: true }).filter((one) => one.endsWith('.ts'))) {
  const file = join('src', name);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  for (const node of source.statements) {
    const isType =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    if (isType) places.set(node.name.text, [...(places.get(node.name.text) ?? []), file]);
  }
}
const shared = [...places].filter(([, files]) => files.length > 1);
for (const [name, files] of shared) console.log(`${name}: ${files.join(', ')}`);
if (shared.length > 0) console.log('No two types share a name: say of what each is.');
process.exitCode = shared.length === 0 ? 0 : 1;
