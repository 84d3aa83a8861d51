import { join } from 'node:path';
import { run } from '../process.ts';
import type { Workspace } from './workspace.ts';

type Status = 'passed' | 'failed' | 'skipped';

/** What became of one test of the suite. */
export interface Outcome {
  /** Its path below `designate_tempest_plugin.tests`, without its id. */
  readonly test: string;
  readonly status: Status;
  /** Why, as tempest prints it. */
  readonly reason: string;
}

const STATUSES: Readonly<Record<string, Status>> = { ok: 'passed', FAILED: 'failed', SKIPPED: 'skipped' };
/** `{worker} name [seconds] ... ok`, and lines with the reason up to the next test or the totals. */
const RESULT =
  /^\{\d+\} (?<id>.+?)(?: \[\d[\d.]*s\])? \.\.\. (?<status>ok|FAILED|SKIPPED)\b(?<reason>.*(?:\n(?!\{\d+\} |=====).*)*)/gm;

function named(id: string): string {
  return id.replace(/\[[^\]]*\]$/, '').replace('designate_tempest_plugin.tests.', '');
}

/** Runs all tests of the suite, two at a time, and says what became of each. */
export async function runTempest({ folder, env }: Workspace): Promise<readonly Outcome[]> {
  const words = ['--config-file', join(folder, 'tempest.conf'), '--regex', '^designate_tempest_plugin'];
  const command = ['tempest', 'run', ...words, '--concurrency', '2'];
  const { status, out, err } = await run(command, { cwd: folder, env });
  const outcomes = [...out.matchAll(RESULT)].map(({ groups }) => ({
    test: named(groups!.id!),
    status: STATUSES[groups!.status!]!,
    reason: groups!.reason!.trim(),
  }));
  // 0: all have passed; 1: some have failed.
  if (outcomes.length > 0 && (status === 0 || status === 1)) return outcomes;
  throw new Error(`tempest ended with ${status}: ${err.slice(-5000)}\n${out.slice(-5000)}`);
}
