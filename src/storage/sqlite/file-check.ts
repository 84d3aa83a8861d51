/** A process that checks a file: quick_check is one statement, which can be stopped only by ending its process. */
import { constants, getPriority, setPriority } from 'node:os';
import { connectForReads } from './connect.ts';
import { SqliteConnection } from './connection.ts';

// A terminal or a service manager may signal all processes at once; the service decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const [file, niceness] = process.argv.slice(2) as [string, string];
setPriority(Math.min(getPriority() + Number(niceness), constants.priority.PRIORITY_LOW));

function faultOf(): string | null {
  try {
    const { rows } = new SqliteConnection(connectForReads(file)).run({
      sql: 'pragma quick_check(1)',
      parameters: [],
    });
    const [first] = rows as readonly { readonly quick_check: string }[];
    if (first === undefined) return 'the check returned nothing';
    return first.quick_check === 'ok' ? null : first.quick_check;
  } catch (error) {
    return ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
  }
}

process.stdout.write(JSON.stringify(faultOf()));
