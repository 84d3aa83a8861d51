import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

// Next to this file, where the build puts it.
const PROGRAM = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/current/file-check.js' : './file-check.js',
    import.meta.url,
  ),
);

export type CheckResult =
  | { readonly kind: 'sound' }
  | { readonly kind: 'faulty'; readonly fault: string }
  | { readonly kind: 'ended' };

/** A check of a file in a separate process, which can be ended at any time. */
export class FileCheck {
  readonly result: Promise<CheckResult>;
  readonly #child: ChildProcess;
  #isEnded = false;

  /** @param niceness added to that of this process */
  constructor(file: string, niceness: number) {
    this.#child = spawn(process.execPath, [PROGRAM, file, String(niceness)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {},
    });
    const end = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', end);
    this.result = this.#read().finally(() => process.off('exit', end));
  }

  end(): void {
    this.#isEnded = true;
    this.#child.kill('SIGKILL');
  }

  async #read(): Promise<CheckResult> {
    try {
      const [[status, signal], printed] = await Promise.all([
        once(this.#child, 'close'),
        text(this.#child.stdout!),
      ]);
      if (this.#isEnded) return { kind: 'ended' };
      if (status !== 0) return { kind: 'faulty', fault: `the check ended with ${signal ?? status}` };
      const fault = JSON.parse(printed) as string | null;
      return fault === null ? { kind: 'sound' } : { kind: 'faulty', fault };
    } catch (error) {
      return { kind: 'faulty', fault: (error as Error).message };
    }
  }
}
