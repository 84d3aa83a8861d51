import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Agent } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

// npm runs its scripts in the project's folder.
export const PROGRAM = resolve('dist/main.js');

export type Environment = Readonly<Record<string, string>>;

/** The environment of this process without the options of whoever runs it. */
export function environmentOf(own: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ZONEWARDEN_'));
  return { ...Object.fromEntries(kept), ...own };
}

/** How long a start may take when nothing is in its way. */
const START_MS = 60_000;
const STOP_MS = 60_000;

/** One of the equal processes of the service, on a port of its own that it keeps over its lives. */
export class Member {
  readonly index: number;
  readonly url: string;
  readonly agent = new Agent({ keepAlive: true });
  /** Told of each success, at the moment that it arrives. */
  onAcknowledged: (() => void) | undefined;
  /** An injury of it is under way. */
  isInjured = false;
  /** The last moment at which it was stopped, or not there. */
  #awayAt = 0;
  #isAway = true;
  #child: ChildProcess | undefined;
  #isWanted = false;
  readonly #env: Environment;
  readonly #logFile: string;
  readonly #ledger: Ledger;

  constructor(at: { index: number; port: number; env: Environment; logFile: string; ledger: Ledger }) {
    this.index = at.index;
    this.url = `http://127.0.0.1:${at.port}`;
    this.#env = { ...at.env, ZONEWARDEN_SERVICE_API__LISTEN: `127.0.0.1:${at.port}` };
    this.#logFile = at.logFile;
    this.#ledger = at.ledger;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Whether it ran, without a stop, from then until now. */
  ranSince(begin: number): boolean {
    return !this.#isAway && this.#awayAt < begin;
  }

  #away(isAway: boolean): void {
    this.#isAway = isAway;
    this.#awayAt = this.#ledger.now();
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#logFile, 'a');
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: environmentOf(this.#env),
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.#child = child;
    this.#isWanted = true;
    child.once('exit', (status, signal) => {
      this.#away(true);
      this.#ledger.write({ ended: this.index, status, signal });
    });
    return child;
  }

  async #ready(child: ChildProcess): Promise<boolean> {
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line.startsWith('listening on ')) return true;
    }
    return false;
  }

  /**
   * Starts it, and again if it ends: a fault, unless `mayFail` says that something which it needs has been out of order
   * since the time at which that start began.
   * Comes back early when it is killed meanwhile.
   */
  async start(mayFail: (since: number) => boolean): Promise<void> {
    for (;;) {
      const began = this.#ledger.now();
      const child = this.#spawn();
      const overdue = setTimeout(() => {
        this.#ledger.fault('not answered in time', `process ${this.index} did not start in ${START_MS} ms`);
        child.kill('SIGKILL');
      }, START_MS);
      const isReady = await this.#ready(child);
      clearTimeout(overdue);
      if (isReady) return this.#watch(child, began);
      if (!this.#isWanted) return;
      if (!mayFail(began)) this.#ledger.fault('exited by itself', `process ${this.index} ended at its start`);
      await sleep(200);
      if (!this.#isWanted) return;
    }
  }

  #watch(child: ChildProcess, began: number): void {
    this.#away(false);
    this.#ledger.write({ ready: this.index, pid: child.pid, after: Math.round(this.#ledger.now() - began) });
    child.once('exit', (status, signal) => {
      if (this.#isWanted)
        this.#ledger.fault('exited by itself', `process ${this.index}: ${status ?? signal}`);
    });
  }

  isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** kill -9, without waiting for anything. */
  kill(): void {
    this.#isWanted = false;
    this.#away(true);
    this.#child?.kill('SIGKILL');
  }

  async gone(): Promise<void> {
    if (this.isRunning()) await once(this.#child!, 'exit');
  }

  /** SIGTERM, which has to end it with 0. */
  async stop(): Promise<void> {
    if (!this.isRunning()) return;
    this.#isWanted = false;
    this.#away(true);
    const child = this.#child!;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await this.gone();
    clearTimeout(late);
    this.#ledger.require('exited by itself', child.exitCode === 0, () => {
      return `process ${this.index}: SIGTERM ended it with ${child.exitCode ?? child.signalCode}`;
    });
  }

  halt(): void {
    this.#away(true);
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
    this.#away(!this.isRunning());
  }
}
