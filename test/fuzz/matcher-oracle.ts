import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Case } from './matcher-cases.ts';

/** What CPython says of a case: a letter for every name, or why it refuses the pattern. */
export type Answer =
  | string
  | { readonly error: string; readonly position: number | null }
  | { readonly recursion: true };

/** CPython in a process of its own; answers come in the order of the questions. */
export class Oracle {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting: ((answer: Answer) => void)[] = [];
  /** Of the CPython that answers. */
  readonly version: Promise<Answer> = new Promise((resolve) => this.waiting.push(resolve));

  /** Gives up on a name after `limit` seconds. */
  constructor(limit: number) {
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
    this.child = spawn('python3', ['scripts/matcher-oracle.py', String(limit)], { stdio });
    createInterface({ input: this.child.stdout }).on('line', (line) =>
      this.waiting.shift()?.(JSON.parse(line)),
    );
    this.child.on('exit', (code) => {
      if (this.waiting.length > 0) throw new Error(`the oracle ended with ${code}`);
    });
  }

  ask({ pattern, names }: Case): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${JSON.stringify([pattern, names])}\n`);
    });
  }

  close(): void {
    this.child.stdin.end();
  }
}
