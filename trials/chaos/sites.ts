import { join } from 'node:path';
import type { Dice } from './dice.ts';
import type { Environment } from './members.ts';

/** Something to do to what the processes of the service need, and what makes it good again. */
export interface Injury {
  readonly kind: string;
  readonly weight: number;
  readonly isKill: boolean;
  /** What it takes: two injuries of one thing do not meet. Of one kind there may be one for each target. */
  readonly target: string;
  inflict(): Promise<void>;
  /** How long it lasts, in milliseconds. */
  lasts(dice: Dice): number;
  heal(): Promise<void>;
}

/** The store that the processes share, and where they run. */
export interface Site {
  readonly members: number;
  /** The options of one process. */
  environment(member: number): Environment;
  /** Those of a command, which goes to the store by no detour. */
  readonly commandEnvironment: Environment;
  readonly injuries: readonly Injury[];
  /** Waits, once all processes have ended, until nothing that they began can still come. */
  quiet(): Promise<void>;
  remove(): Promise<void>;
}

/** What every process of every site is told. */
export const COMMON: Environment = { ZONEWARDEN_DEFAULT__LOG_LEVEL: 'info' };

/** One process on the embedded database: with the process goes all that it began. */
export function sqliteSite(folder: string): Site {
  const environment = { ...COMMON, ZONEWARDEN_DEFAULT__DATA_DIR: join(folder, 'data') };
  return {
    members: 1,
    environment: () => environment,
    commandEnvironment: environment,
    injuries: [],
    quiet: async () => {},
    remove: async () => {},
  };
}
