/**
 * Mutation testing by sample: changes one comparison, limit, await or conditional of src/ at a time, drawn from all folders, and
 * runs tests on it. A mutant is killed if they fail. It works in a clone: what is not committed is not in it.
 *
 *     npm run trial -- mutants --count 50 --seed 1 --from 0 --executed /tmp/executed -- --project sqlite
 *
 * What follows `--` are options of `vitest run`. The first run, without a mutant, notes which functions each file of tests executes, in
 * the file of `--executed`, which later calls read if it exists. Then each mutant meets the tests that execute its function: first
 * those that execute little else, and no more than took `--seconds` together when they were noted. Tests that start processes and
 * threads execute more than is noted: `--all` lets a mutant that survives meet all tests.
 *
 * For each mutant it prints a line of JSON: where it is, what was changed, whether it was killed, by which test, the seconds it took, and
 * the number of files of tests that were left out to save time.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { Random } from '../test/support/random.ts';
import {
  EXECUTED_FILE,
  type Executed,
  functionAt,
  readExecuted,
  testsOf,
} from './mutants/executed-functions.ts';

const KINDS = ['comparison', 'limit', 'missing await', 'swapped branches'] as const;
type Kind = (typeof KINDS)[number];

interface Mutant {
  readonly kind: Kind;
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const OTHER_COMPARISON: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
/** Migrations are history: nothing there changes. */
const LEFT_OUT = /storage\/migrations\//;

/** What a node is replaced with in a mutant, if it is one that is. */
function replacementFor(node: ts.Node, text: (one: ts.Node) => string): readonly [Kind, string] | undefined {
  if (ts.isBinaryExpression(node)) {
    const other = OTHER_COMPARISON[text(node.operatorToken)];
    if (other !== undefined) return ['comparison', `${text(node.left)} ${other} ${text(node.right)}`];
  }
  if (ts.isNumericLiteral(node) && Number(node.text) > 1) return ['limit', String(Number(node.text) + 1)];
  if (ts.isAwaitExpression(node) && ts.isExpressionStatement(node.parent)) {
    return ['missing await', `void ${text(node.expression)}`];
  }
  if (ts.isConditionalExpression(node)) {
    const { condition, whenTrue, whenFalse } = node;
    return ['swapped branches', `${text(condition)} ? ${text(whenFalse)} : ${text(whenTrue)}`];
  }
  return undefined;
}

/** All mutants of a file. */
function mutantsOf(file: string): Mutant[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const text = (node: ts.Node) => node.getText(source);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const replacement = replacementFor(node, text);
    if (replacement !== undefined) {
      const [kind, after] = replacement;
      const start = node.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ kind, file, line, start, end: node.getEnd(), before: text(node), after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Draws mutants of all kinds in turn, each from another folder as long as there is one. */
function draw(mutants: readonly Mutant[], count: number, random: Random): Mutant[] {
  const drawn: Mutant[] = [];
  const timesIn = new Map<string, number>();
  const timesOf = (mutant: Mutant) => timesIn.get(dirname(mutant.file)) ?? 0;
  while (drawn.length < count) {
    const kind = KINDS[drawn.length % KINDS.length];
    const ofKind = mutants.filter((mutant) => mutant.kind === kind && !drawn.includes(mutant));
    const fewest = Math.min(...ofKind.map(timesOf));
    const candidates = ofKind.filter((mutant) => timesOf(mutant) === fewest);
    const mutant = candidates[random.below(candidates.length)];
    if (mutant === undefined) break;
    timesIn.set(dirname(mutant.file), timesOf(mutant) + 1);
    drawn.push(mutant);
  }
  return drawn;
}

/** Test files of one run of vitest, which stops at the first failure. */
const BATCH = 24;

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '600' },
    executed: { type: 'string', default: join(tmpdir(), 'zonewarden-executed') },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const files = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' })
  .trimEnd()
  .split('\n')
  .filter((file) => !LEFT_OUT.test(file));
const drawn = draw(files.flatMap(mutantsOf), Number(values.count), new Random(Number(values.seed)));

const copy = join(mkdtempSync(join(tmpdir(), 'zonewarden-mutants-')), 'copy');
execFileSync('git', ['clone', '--quiet', '--shared', '.', copy]);
// Not as a link: the build names packages by their real paths.
cpSync('node_modules', join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });

/** Runs the tests of some files, or all. */
function run(tests: readonly string[], own: NodeJS.ProcessEnv = {}) {
  const args = ['vitest', 'run', '--bail', '1', '--passWithNoTests', ...positionals, ...tests];
  const env = { ...process.env, ...own };
  return spawnSync('npx', args, { cwd: copy, encoding: 'utf8', env, maxBuffer: 2 ** 30 });
}

function build(): boolean {
  return spawnSync('npm', ['run', '--silent', 'build'], { cwd: copy }).status === 0;
}

/** What the tests execute, from a run of all of them unless one has been noted. */
function executedByTests(): readonly Executed[] {
  const file = resolve(values.executed);
  if (!existsSync(file)) {
    build();
    const noted = join(dirname(copy), 'executed');
    const { status, stdout } = run([], { [EXECUTED_FILE]: noted });
    if (status !== 0) throw new Error(`The tests fail without a mutant:\n${stdout.slice(-10_000)}`);
    copyFileSync(noted, file);
  }
  return readExecuted(file);
}

/** Whether a mutant that is in place is killed, and by which test. */
function trial(tests: readonly string[]): { readonly isKilled: boolean; readonly by?: string } {
  if (!build()) return { isKilled: true, by: 'the build' };
  const batches = Array.from({ length: Math.ceil(tests.length / BATCH) }, (_, place) =>
    tests.slice(place * BATCH, (place + 1) * BATCH),
  );
  if (values.all || tests.length === 0) batches.push([]);
  for (const batch of batches) {
    const { status, stderr } = run(batch);
    const by = / FAIL {2}(.*)/.exec(stripVTControlCharacters(stderr))?.[1];
    if (status !== 0) return { isKilled: true, ...(by === undefined ? {} : { by }) };
  }
  return { isKilled: false };
}

let killed = 0;
try {
  const executed = executedByTests();
  for (const { start, end, ...mutant } of drawn.slice(Number(values.from))) {
    const file = join(copy, mutant.file);
    const sound = readFileSync(file, 'utf8');
    const source = ts.createSourceFile(file, sound, ts.ScriptTarget.Latest, true);
    const name = functionAt(source, start);
    const { tests, leftOut } = testsOf(executed, { file: mutant.file, name, limit: Number(values.seconds) });
    writeFileSync(file, sound.slice(0, start) + mutant.after + sound.slice(end));
    const begun = performance.now();
    const verdict = trial(tests);
    writeFileSync(file, sound);
    if (verdict.isKilled) killed += 1;
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(JSON.stringify({ ...mutant, ...verdict, tests: tests.length, leftOut, seconds }));
  }
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}
console.log(`${killed} of ${drawn.length - Number(values.from)} mutants killed`);
