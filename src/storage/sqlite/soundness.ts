/** Checks that a database file is sound. A large file is checked while the service runs. */
import { existsSync, statSync } from 'node:fs';
import { DamagedStore, DomainError } from '../../model/errors.ts';
import type { WriteState } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import { reasonOf, StorageOpenError } from '../database/storage-errors.ts';
import type { SqliteConnection } from './connection.ts';
import { FileCheck } from './file-checks.ts';

/** Files up to this size are checked before the service starts, in some tenths of a second. */
const CHECKED_AT_ONCE_BYTES = 64 * 1024 * 1024;
/** If nothing waits for the check, requests run before it. */
const NICENESS = 10;
const CHECK = { sql: 'pragma quick_check(1)', parameters: [] };

/**
 * Marks a file as closed by its service, in `user_version`, which is part of every copy of the file. Any other value
 * means that the service is running or stopped uncleanly, or that the file is from a version that set no mark.
 */
const CLOSED_CLEANLY = 0x7a77;
const OPEN = 0;

type QuickCheckRows = readonly { readonly quick_check: string }[];

export interface SoundnessReports {
  readonly log: Pick<Log, 'info' | 'error'>;
}

function bytesOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** True if a write-ahead log was left behind. Call it before opening a connection, which creates a log. */
export function hasLog(file: string): boolean {
  return bytesOf(`${file}-wal`) > 0;
}

function faultOf(rows: readonly unknown[]): string | undefined {
  const [first] = rows as QuickCheckRows;
  return first?.quick_check === 'ok' ? undefined : (first?.quick_check ?? 'the check returned nothing');
}

function markOf(connection: SqliteConnection): number | undefined {
  const { rows } = connection.run({ sql: 'pragma user_version', parameters: [] });
  return (rows as readonly { user_version: number }[])[0]?.user_version;
}

/** Sets the mark, and commits the transaction that has begun. */
function mark(connection: SqliteConnection, value: number): void {
  try {
    connection.exec(`pragma user_version = ${value}`);
    connection.exec('commit');
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

/** @throws StorageOpenError if the file is corrupt */
export function requireSound(connection: SqliteConnection, file: string): void {
  if (faultOf(connection.run(CHECK).rows) === undefined) return;
  throw new StorageOpenError(`The database ${file} is corrupt. Restore it from a backup.`);
}

/** What SQLite says of a file that it cannot read. */
const DAMAGED: ReadonlySet<string> = new Set(['database disk image is malformed', 'file is not a database']);

/**
 * Checks every page and every index of a file, for a command: nothing else waits for its event loop.
 * @returns up to 100 faults; there may be more
 */
export function fileFaults(connection: SqliteConnection): readonly string[] {
  try {
    const { rows } = connection.run({ sql: 'pragma integrity_check(100)', parameters: [] });
    const found = (rows as readonly { readonly integrity_check: string }[]).map((row) => row.integrity_check);
    return found.filter((fault) => fault !== 'ok');
  } catch (error) {
    // Damage to some pages ends the check itself.
    const reason = reasonOf(error);
    if (!DAMAGED.has(reason)) throw error;
    return [`${reason}. Restore it from a backup.`];
  } finally {
    connection.close();
  }
}

/**
 * Allows writes, makes them wait, or refuses them. After an unclean stop, writes wait until the file has been
 * checked. Damage found at any time stops them.
 */
export class WriteGate {
  #state: WriteState = 'open';
  #settled: Promise<void> = Promise.resolve();
  /** The reason why writes are refused from now on. */
  #refusal: Error | undefined;

  get state(): WriteState {
    return this.#state;
  }

  /**
   * Resolves once writes are allowed.
   * @throws DomainError `storage_unavailable` if the file is damaged, or the check was ended
   */
  async pass(): Promise<void> {
    if (this.#state === 'checking') await this.#settled;
    if (this.#refusal === undefined) return;
    throw new DomainError('storage_unavailable', undefined, { cause: this.#refusal });
  }

  /** Makes writes wait for the end of the check. */
  waitFor(check: Promise<void>): void {
    this.#state = 'checking';
    this.#settled = check.then(() => {
      if (this.#refusal === undefined) this.#state = 'open';
    });
  }

  stop(damage: DamagedStore): void {
    this.#refusal = damage;
    this.#state = 'damaged';
  }

  /** Refuses writes that wait for a check that was ended. */
  giveUp(): void {
    if (this.#state === 'checking') this.#refusal = new Error('the store is being closed');
  }
}

/** Tracks the soundness of the service's file from opening to closing. */
export class Soundness {
  readonly gate = new WriteGate();
  readonly #file: string;
  readonly #log: SoundnessReports['log'];
  #check: FileCheck | undefined;
  #running: Promise<void> = Promise.resolve();
  #isProven = false;

  constructor(file: string, { log }: SoundnessReports) {
    this.#file = file;
    this.#log = log;
  }

  /**
   * Checks the file: a small one at once, a large one in a separate process.
   * @param hadLog true if a write-ahead log was left behind
   * @throws StorageOpenError if a small file is corrupt
   */
  begin(connection: SqliteConnection, hadLog: boolean): void {
    if (bytesOf(this.#file) + bytesOf(`${this.#file}-wal`) <= CHECKED_AT_ONCE_BYTES) {
      requireSound(connection, this.#file);
      this.#isProven = true;
      return;
    }
    const wasClosed = markOf(connection) === CLOSED_CLEANLY && !hadLog;
    this.#isProven = wasClosed;
    const niceness = wasClosed ? NICENESS : 0;
    this.#check = new FileCheck(this.#file, niceness);
    this.#running = this.#report(this.#check, wasClosed);
    if (!wasClosed) this.gate.waitFor(this.#running);
  }

  /**
   * Durably marks the file as in use, because from now on the service may stop uncleanly.
   * @throws `storage_unavailable` if the file cannot be written
   */
  async markOpen(connection: SqliteConnection, busyTimeoutMs: number): Promise<void> {
    await connection.beginWriting(busyTimeoutMs);
    // A file that waits for its check is not written before, unless it needs the mark.
    if (this.gate.state === 'checking' && markOf(connection) === OPEN) connection.rollback();
    else mark(connection, OPEN);
  }

  /** Ends the check if it is still running. Changes that wait for it fail. */
  endCheck(): void {
    this.#check?.end();
  }

  /** Ends the check, and marks the file as closed cleanly if no fault is known. By now nothing else uses the file. */
  async end(connection: SqliteConnection, busyTimeoutMs: number): Promise<void> {
    this.endCheck();
    await this.#running;
    if (!this.#isProven || this.gate.state !== 'open') return;
    await connection.beginWriting(busyTimeoutMs);
    mark(connection, CLOSED_CLEANLY);
  }

  async #report(check: FileCheck, wasClosed: boolean): Promise<void> {
    const begun = performance.now();
    const file = this.#file;
    if (!wasClosed) {
      this.#log.info({ file }, 'the database was not closed cleanly: writes wait until it is checked');
    }
    const result = await check.result;
    if (result.kind === 'ended') {
      this.gate.giveUp();
      return;
    }
    if (result.kind === 'sound') {
      this.#isProven = true;
      this.#log.info(
        { file, seconds: Math.round((performance.now() - begun) / 100) / 10 },
        'checked the database: it is sound',
      );
      return;
    }
    // Regardless of the mark, the next start waits for its own check.
    this.#isProven = false;
    this.gate.stop(new DamagedStore(`the database ${file} is damaged`));
    this.#log.error(
      { file, fault: result.fault },
      'the database is damaged: all writes are refused. Stop the service, keep a copy of the file, and restore a backup',
    );
  }
}
