/**
 * Mutation testing by sample: changes one comparison, limit, await or conditional of src/ at a time, drawn from all folders, and
 * runs a test command on it. A mutant is killed if the command fails. It works in a clone: what is not committed is not in it.
 *
 *     npm run trial -- mutants --count 50 --seed 1 --from 0 --near -- npx vitest run --bail 1 --passWithNoTests
 *
 * `--near` runs the command on the tests in the folder of the mutant first, which kill most mutants within seconds, and on all tests
 * only if those pass. A command must pass where there are none.
 *
 * For each mutant it prints a line of JSON: where it is, what was changed, whether it was killed, by which test, and the seconds it took.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { Random } from '../test/support/random.ts';

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

/** The folder of the tests that are nearest to a file of src/: the deepest one of the same name. */
function testsNear(file: string): string {
  let folder = dirname(file).replace(/^src/, 'test');
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    near: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [program, ...args] = positionals.length > 0 ? positionals : ['npx', 'vitest', 'run', '--bail', '1'];
const files = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' })
  .trimEnd()
  .split('\n')
  .filter((file) => !LEFT_OUT.test(file));
const drawn = draw(files.flatMap(mutantsOf), Number(values.count), new Random(Number(values.seed)));

const copy = join(mkdtempSync(join(tmpdir(), 'zonewarden-mutants-')), 'copy');
execFileSync('git', ['clone', '--quiet', '--shared', '.', copy]);
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
let killed = 0;
try {
  for (const { start, end, ...mutant } of drawn.slice(Number(values.from))) {
    const file = join(copy, mutant.file);
    const sound = readFileSync(file, 'utf8');
    writeFileSync(file, sound.slice(0, start) + mutant.after + sound.slice(end));
    const begun = performance.now();
    const build = spawnSync('npm', ['run', '--silent', 'build'], { cwd: copy });
    const test = (...folders: readonly string[]) =>
      spawnSync(program!, [...args, ...folders], { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 30 });
    const near = values.near ? test(`${testsNear(mutant.file)}/`) : undefined;
    const { status, stdout } = near === undefined || near.status === 0 ? test() : near;
    writeFileSync(file, sound);
    const isKilled = build.status !== 0 || status !== 0;
    if (isKilled) killed += 1;
    const [by] = /^.* FAIL  .*/m.exec(stdout) ?? [];
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(JSON.stringify({ ...mutant, isKilled, ...(by === undefined ? {} : { by }), seconds }));
  }
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}
console.log(
  `${killed} of ${drawn.length - Number(values.from)} mutants killed by: ${[program, ...args].join(' ')}`,
);
