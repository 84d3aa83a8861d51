import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Waits until its standard input ends, which it does however the process at the other end goes, and then leaves nothing
 * of a server: no process whose working folder is that of its data or below, no shared memory, no folder. SIGQUIT lets PostgreSQL free its shared memory; what is
 * stopped has to go on for it. A segment of a postmaster that was killed is named in the file of its pid.
 */
const SCRIPT = `
cat >/dev/null
processes() {
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")" in "$1/data" | "$1/data/"*) echo "\${process#/proc/}" ;; esac
  done
}
exec 2>/dev/null
kill -QUIT $(processes "$1")
kill -CONT $(processes "$1")
tries=0
while [ -n "$(processes "$1")" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL $(processes "$1")
segment=$(sed -n '7s/.* //p' "$1/data/postmaster.pid") && [ -n "$segment" ] && ipcrm -m "$segment"
rm -rf "$1"
`;

/** What clears a server away: when it is asked to, or when the process that started the server is gone. */
export interface Keeper {
  clear(): Promise<void>;
}

export function keeperOf(folder: string): Keeper {
  // A session of its own: what a terminal sends to the test run does not reach it.
  const keeper: ChildProcess = spawn('sh', ['-c', SCRIPT, 'keeper', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(keeper, 'exit');
  // A server that was forgotten keeps no process alive, and goes with it.
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  return {
    async clear() {
      keeper.ref();
      keeper.stdin!.end();
      await ended;
    },
  };
}

/** The processes of a server: each has the data folder as its working folder, as long as it lives. */
export function processesOf(dataDir: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => {
    try {
      return readlinkSync(join('/proc', String(pid), 'cwd')) === dataDir;
    } catch {
      return false;
    }
  });
}

/** Whether a process stands still; one that is gone does. */
export function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  } catch {
    return true;
  }
}

/** Sends a signal to those of the processes that are still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
