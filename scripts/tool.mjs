// Builds and runs a benchmark, a trial or a fuzzer: `npm run bench -- NAME ARGUMENTS`. Without a name it lists them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const KINDS = {
  bench: { folder: 'bench', suffix: '.ts' },
  trial: { folder: 'trials', suffix: '.ts' },
  fuzz: { folder: 'test/fuzz', suffix: '.fuzz.ts' },
};
const [kind, name, ...args] = process.argv.slice(2);
const { folder, suffix } = KINDS[kind];
const names = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

/** The first sentence of the comment that a file begins with. */
function purposeOf(file) {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  const text = comment.replaceAll(/\s*\n \* ?/g, ' ').trim();
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

/** Ends this process as the command ended, unless it succeeded. */
function run(command, commandArgs) {
  const { status, signal } = spawnSync(command, commandArgs, { stdio: 'inherit' });
  if (signal !== null) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

if (name === undefined || !names.includes(name)) {
  const problem = name === undefined ? '' : `There is no ${kind} called ${name}.\n\n`;
  const width = Math.max(...names.map((one) => one.length));
  const lines = names.map((one) => `  ${one.padEnd(width)}  ${purposeOf(`${folder}/${one}${suffix}`)}`);
  console.log(`${problem}npm run ${kind} -- NAME ARGUMENTS\n\n${lines.join('\n')}`);
  process.exit(name === undefined ? 0 : 1);
}

run('npm', ['run', '--silent', 'tools']);
process.on('SIGINT', () => {});
run(process.execPath, ['--expose-gc', `build/${folder}/${name}${suffix.replace('.ts', '.js')}`, ...args]);
