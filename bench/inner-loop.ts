/**
 * How long a developer waits after an edit: medians of wall and of processor time, in seconds.
 *
 *     npm run bench -- inner-loop [--rounds 11]
 *
 * Each round adds a comment to a module, runs the check of it, and puts the module back.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { medianOf } from './support/median.ts';

const TIMED = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1';
const vitest = (test: string) => ['npx', 'vitest', 'run', '--project', 'sqlite', test];
const CASES = [
  ['a pure module, its unit test', 'src/dns/serial.ts', vitest('test/dns/serial.test.ts')],
  ['the matcher, a unit test of it', 'src/matcher/lint.ts', vitest('test/matcher/lint.test.ts')],
  ['http, a test of the API', 'src/http/zones/zones.ts', vitest('test/api/zones/zones.test.ts')],
  ['storage, a test of the API', 'src/storage/zones/zones.ts', vitest('test/api/zones/zones.test.ts')],
  ['storage, a test of the store', 'src/storage/zones/zones.ts', vitest('test/storage/transactions.test.ts')],
  ['any module, npm run check:types', 'src/http/zones/zones.ts', ['npm', 'run', 'check:types']],
] as const;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '11' } } });
const rounds = Number(values.rounds);

/** Wall and processor time of a command. */
function timed(command: readonly string[]): readonly [number, number] {
  const { stderr, status } = spawnSync('bash', ['-c', TIMED, 'bash', ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} failed.`);
  const [wall, user, system] = stderr.trim().split(' ').map(Number);
  return [wall!, user! + system!];
}

for (const [what, file, command] of CASES) {
  const before = readFileSync(file, 'utf8');
  const taken: (readonly [number, number])[] = [];
  try {
    timed(command);
    for (let round = 0; round < rounds; round++) {
      writeFileSync(file, `${before}// ${round}\n`);
      taken.push(timed(command));
    }
  } finally {
    writeFileSync(file, before);
  }
  const [wall, processor] = [0, 1].map((one) => medianOf(taken.map((times) => times[one]!)).toFixed(1));
  console.log(`${what.padEnd(40)} wall ${wall} s, processor ${processor} s`);
}
