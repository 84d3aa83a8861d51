import type { Command } from 'commander';
import type { CommandSession } from '../assembly/session.ts';
import type { Config } from '../config/options.ts';
import type { ExitStatus } from './errors.ts';

export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** The context in which a group of commands is defined. */
export interface Commands {
  /** The program to which the commands are added. */
  readonly program: Command;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs work that needs nothing of this machine. */
  runAlone(work: () => Promise<ExitStatus>): Promise<void>;
  /** Runs work that needs only the configuration. */
  run(work: (config: Config) => Promise<ExitStatus>): Promise<void>;
  /** Runs work on the store. */
  runOnStore(work: (session: CommandSession, config: Config) => Promise<ExitStatus>): Promise<void>;
}
