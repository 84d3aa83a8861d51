import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process.ts';
import type { Workspace } from './workspace.ts';

/** What became of one test of the suite. */
export interface Outcome {
  readonly test: string;
  readonly status: string;
}

export interface Results {
  readonly outcomes: readonly Outcome[];
  /** All that tempest printed of the tests, with the reasons of their failures. */
  readonly text: string;
}

const HEADER = 'test,status,';

/** A test by its path, without its attributes: `….test_zones.ZonesTest.test_create[id-…]`. */
const named = (id: string): string =>
  id.replace(/\[[^\]]*\]$/, '').replace(/^designate_tempest_plugin\.tests\./, '');

/** One line for each test: its id, which may have parentheses but no comma, its status, and two points in time. */
function outcomesOf(csv: string): Outcome[] {
  const [header, ...lines] = csv.trim().split('\n');
  if (!header?.startsWith(HEADER)) throw new Error(`subunit2csv printed no table: ${csv.slice(0, 1000)}`);
  return lines.map((line) => {
    const [id = '', status = ''] = line.split(',');
    return { test: named(id), status };
  });
}

/** Runs the tests of the suite whose ids match, two at a time, and says what became of each. */
export async function runTempest({ folder, env }: Workspace, pattern: string): Promise<Results> {
  const words = ['--config-file', join(folder, 'tempest.conf'), '--regex', pattern, '--concurrency', '2'];
  const { status, out, err } = await run(['tempest', 'run', ...words], { cwd: folder, env });
  // 0: all have passed; 1: some have failed.
  if (status === null || status > 1) throw new Error(`tempest ended with ${status}: ${err}\n${out}`);
  const input = readFileSync(join(folder, '.stestr', '0'));
  const table = await run(['subunit2csv', '--no-passthrough'], { cwd: folder, env, input });
  return { outcomes: outcomesOf(table.out), text: `${out}\n${err}` };
}
