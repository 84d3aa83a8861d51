/**
 * What sets of patterns that an enemy chooses cost, each in processes of its own with a heap of 512 MB, in milliseconds of
 * processor time: the longest addition and the longest check in the calling thread, which others wait for, pauses of the
 * collector apart; and a check in all threads; and the memory.
 *
 *     npm run trial -- patterns [--only <part of a title>]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAMILIES } from './hostile/patterns/families.ts';
import type { Turns, Whole } from './hostile/patterns/measure.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const PROGRAM = fileURLToPath(new URL('./hostile/patterns/measure.js', import.meta.url));
/** In milliseconds: on a busy machine the largest set takes several minutes to be read and made ready. */
const PATIENCE = 3_600_000;

function measure<T>(mode: string, title: string, flags: readonly string[]): T | string {
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    ['--max-old-space-size=512', ...flags, PROGRAM, mode, title],
    { encoding: 'utf8', timeout: PATIENCE, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return status === 0 ? (JSON.parse(stdout) as T) : `ended by ${signal ?? `status ${status}`}`;
}

function run(title: string): string[] {
  const turns = measure<Turns>('turns', title, ['--single-threaded-gc']);
  const whole = measure<Whole>('whole', title, []);
  const first =
    typeof turns === 'string'
      ? [turns, '', '', '', '']
      : [turns.longestAdd, turns.firstCheck, ...turns.check, turns.longestPause].map((time) =>
          time.toFixed(1),
        );
  if (typeof whole === 'string') return [...first, whole, '', '', ''];
  const second = [whole.processor, whole.longestProcessor].map((time) => time.toFixed(1));
  return [...first, ...second, String(whole.memory), whole.verdicts];
}

const HEAD = ['set', 'longest addition', 'first check', 'check, p50', 'p95', 'longest pause'];
console.log(`| ${[...HEAD, 'all threads, p50', 'most', 'MB', 'verdicts'].join(' | ')} |`);
console.log('|---|---|---|---|---|---|---|---|---|---|');
for (const { title } of FAMILIES) {
  if (title.includes(options.only)) {
    console.log(`| ${[title.replaceAll('|', '\\|'), ...run(title)].join(' | ')} |`);
  }
}
