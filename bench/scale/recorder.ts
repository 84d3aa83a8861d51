/**
 * Loaded before the service (`node --import`): times every statement that the event loop runs on the embedded database. At the
 * exit it writes them to the file that STATEMENTS_FILE names.
 */
import { openSync, readSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Of each statement; later ones are not kept. */
const MAX_TIMES = 1000;

export interface RecordedStatement {
  readonly sql: string;
  /** Of each execution, in milliseconds: on the clock, and of the processor in steps of some milliseconds. */
  readonly times: { readonly wall: number; readonly processor: number }[];
}

type Method = (...args: unknown[]) => unknown;
type Times = RecordedStatement['times'];
type Constructor = new (...args: unknown[]) => object;

const recorded = new Map<string, Times>();

function processorOf(schedule: number, buffer: Buffer): number {
  const length = readSync(schedule, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

function record(): void {
  const schedule = openSync('/proc/thread-self/schedstat', 'r');
  const buffer = Buffer.alloc(64);

  function replaced(thing: object, name: string, replace: (method: Method) => Method): void {
    const method = (thing as Record<string, Method>)[name]!.bind(thing);
    Object.defineProperty(thing, name, { value: replace(method) });
  }

  function timed(thing: object, name: string, textOf: (args: readonly unknown[]) => string): void {
    replaced(thing, name, (method) => (...args) => {
      const before = processorOf(schedule, buffer);
      const begun = performance.now();
      try {
        return method(...args);
      } finally {
        const wall = performance.now() - begun;
        const text = textOf(args);
        const times = recorded.get(text) ?? [];
        const processor = processorOf(schedule, buffer) - before;
        if (times.length < MAX_TIMES) times.push({ wall, processor });
        recorded.set(text, times);
      }
    });
  }

  const opened: ProxyHandler<Constructor> = {
    construct(target, args) {
      const database = new target(...(args as unknown[]));
      timed(database, 'exec', ([text]) => String(text));
      replaced(database, 'prepare', (prepare) => (...own) => {
        const statement = prepare(...own) as object;
        for (const name of ['all', 'run']) timed(statement, name, () => String(own[0]));
        return statement;
      });
      return database;
    },
  };
  // The methods of the library cannot be replaced: its class is, where its binary is loaded.
  const load = process.dlopen;
  process.dlopen = (module, ...rest) => {
    load.call(process, module, ...(rest as [string]));
    const { exports } = module as { exports: Record<string, unknown> };
    if (exports.DatabaseSync === undefined) return;
    const DatabaseSync = new Proxy(exports.DatabaseSync as Constructor, opened);
    (module as { exports: unknown }).exports = { ...exports, DatabaseSync };
  };
  process.on('exit', () => {
    const all = [...recorded].map(([sql, times]): RecordedStatement => ({ sql, times }));
    writeFileSync(process.env.STATEMENTS_FILE!, JSON.stringify(all));
  });
}

if (isMainThread && process.env.STATEMENTS_FILE !== undefined) record();
