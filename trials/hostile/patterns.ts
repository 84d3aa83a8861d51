/**
 * What sets of patterns that an enemy chooses cost, each in a process of its own with a heap of 512 MB: the longest
 * addition, the longest turn of the event loop in a check, the processor time of a check in all threads, the memory.
 *
 *     npm run trial:patterns [-- --only <part of a title>]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAMILIES } from './families.ts';
import type { Measured } from './measure.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const PROGRAM = fileURLToPath(new URL('./measure.js', import.meta.url));
const PATIENCE = 300_000;

function run(title: string): string[] {
  const { stdout, status, signal } = spawnSync(
    process.execPath,
    ['--max-old-space-size=512', PROGRAM, title],
    { encoding: 'utf8', timeout: PATIENCE, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (status !== 0) return [`ended by ${signal ?? `status ${status}`}`];
  const found = JSON.parse(stdout) as Measured;
  const shown = [
    found.longestAdd,
    found.firstTurn,
    found.longestTurn,
    found.processor,
    found.longestProcessor,
  ];
  return [
    ...shown.map((time) => time.toFixed(1)),
    found.longestPause.toFixed(0),
    String(found.memory),
    found.verdicts,
  ];
}

const HEAD = ['set', 'longest addition', 'first check, turn', 'longest turn', 'processor, p50', 'most'];
console.log(`| ${[...HEAD, 'longest pause', 'MB', 'verdicts'].join(' | ')} |`);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const { title } of FAMILIES) {
  if (title.includes(options.only))
    console.log(`| ${[title.replaceAll('|', '\\|'), ...run(title)].join(' | ')} |`);
}
