import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The environment variable that names the file to which a run of vitest writes what its tests execute. */
export const EXECUTED_FILE = 'EXECUTED_FILE';

/** What a file of tests executes. */
export interface Executed {
  /** Its path in the project. */
  readonly test: string;
  readonly seconds: number;
  /** The file of src/ and the name of each function, with a space between. */
  readonly functions: readonly string[];
}

function nameOf(node: ts.Node): string | undefined {
  const named = node as ts.Node & { readonly name?: ts.Node };
  if (named.name !== undefined && ts.isFunctionLike(node)) return named.name.getText();
  const isValue = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  if (!isValue) return undefined;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return undefined;
}

/** The name of the innermost function with a name around a place in a source; undefined outside of any. */
export function functionAt(source: ts.SourceFile, start: number): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (start < node.getStart(source) || start >= node.getEnd()) return;
    found = nameOf(node) ?? found;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The test files that execute a function, or whatever else of its file where none is noted for it; those that execute least come first.
 * @param limit the seconds that they may have taken together when they were noted; the first is always among them
 */
export function testsOf(
  all: readonly Executed[],
  { file, name, limit }: { readonly file: string; readonly name: string | undefined; readonly limit: number },
): { readonly tests: readonly string[]; readonly leftOut: number } {
  const names = new Set(['', 'get ', 'set '].map((kind) => `${file} ${kind}${name}`));
  const byFunction = all.filter(({ functions }) => functions.some((one) => names.has(one)));
  const byFile = all.filter(({ functions }) => functions.some((one) => one.startsWith(`${file} `)));
  const found = byFunction.length > 0 ? byFunction : byFile;
  const tests = new Set<string>();
  let seconds = 0;
  for (const one of found.sort((a, b) => a.functions.length - b.functions.length)) {
    seconds += one.seconds;
    if (seconds > limit && tests.size > 0) break;
    tests.add(one.test);
  }
  return { tests: [...tests], leftOut: new Set(found.map(({ test }) => test)).size - tests.size };
}

/** Reads what a run has written. */
export const readExecuted = (file: string): readonly Executed[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
