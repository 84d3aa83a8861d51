import type { Command } from 'commander';
import type { Session } from '../assembly/session.ts';
import type { Config } from '../config/options.ts';
import type { ExitStatus } from './errors.ts';

export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** What a group of commands describes itself with. */
export interface Commands {
  /** The program that they belong to. */
  readonly program: Command;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs what needs the configuration alone. */
  run(work: (config: Config) => Promise<ExitStatus>): Promise<void>;
  /** Runs what works on the store. */
  runOnStore(work: (session: Session, config: Config) => Promise<ExitStatus>): Promise<void>;
}
