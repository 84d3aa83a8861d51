import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import pg from 'pg';
import type { OpenTransaction } from '../database/database.ts';
import { statementsOver } from '../database/kysely-over.ts';
import {
  asFailure,
  failureKindOf,
  isConnectionGone,
  UnknownOutcome,
  wasNotSent,
} from '../database/postgres-failure.ts';
import type { Schema } from '../database/schema.ts';

/** Error classes: connection, operator intervention, system and internal errors, and "statement completion unknown". */
const UNSURE = /^(08|57P|58|XX|40003)/;

const MAX_NAMES = 1000;
/** Longer inserts are batches of values: preparing one for each length would fill the server's memory. */
const LONGEST_INSERT = 2000;
/** The statement names in use, by text; undefined for a text that is no longer prepared. */
const names = new Map<string, string | undefined>();

/**
 * A transaction that computes for long sends a statement at this interval, so many times at most: the server ends one that is idle,
 * since its process may have stalled.
 */
const SIGN_OF_LIFE_MS = 3000;
const MAX_SIGNS_OF_LIFE = 100;

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Members missing from the driver's types. */
type ClientWithStream = pg.ClientBase & { readonly connection: { readonly stream: Duplex } };

/** The name of a prepared statement, derived from its text, so that every connection uses the same name. */
function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text);
  // Lists of any length make an unbounded number of texts. Beyond a limit they are not prepared.
  const isBatch = text.length > LONGEST_INSERT && text.startsWith('insert');
  if (names.size >= MAX_NAMES || isBatch) return undefined;
  const name = `zw_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}

/**
 * One connection. Statements are pipelined: they are sent without waiting for earlier results, and share one round
 * trip.
 */
export class PostgresSession implements OpenTransaction {
  readonly now: Kysely<Schema>;
  readonly later: OpenTransaction['later'];
  readonly #client: ClientWithStream;
  readonly #isPreparing: boolean;
  /** Behind a pooler: the SQL that follows each `begin`. */
  readonly #settings: string | undefined;
  /** The first failure in the current transaction; later failures follow from it. */
  #failure: unknown;
  /** The result of `begin`. */
  #begun: Promise<unknown> = Promise.resolve();
  /** True if a statement waits for `begin`, so that later ones must wait too. */
  #holdsBack = false;
  #warned = false;
  #isBroken = false;
  #isGathering = false;
  #signsOfLife: NodeJS.Timeout | undefined;

  /**
   * @param isPreparing true if statements are prepared under names
   * @param settings SQL that follows each `begin`, if the session itself cannot be given its settings: a pooler may
   * use another server connection for each transaction
   */
  constructor(client: pg.ClientBase, isPreparing = true, settings?: string) {
    this.#client = client as ClientWithStream;
    this.#isPreparing = isPreparing;
    this.#settings = settings;
    const { now, later } = statementsOver('postgresql', (query) => this.#run(query));
    this.now = now;
    this.later = later;
    // Warnings of class 01 during a commit mean that a standby has not confirmed it.
    client.on('notice', ({ code }) => {
      if (code === '01000') this.#warned = true;
    });
  }

  /** Ignored: the server does the work, whatever its amount. */
  expect(): void {}

  /** True if ending a transaction on this connection has failed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Sends the statements of one event-loop turn in one packet; the driver would send each separately. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** Runs one statement outside a transaction; behind a pooler in its own transaction, in the same round trip. */
  async read(query: Statement): Promise<QueryResult<never>> {
    if (this.#settings === undefined) return this.#execute(query);
    this.begin();
    const answers = [this.#begun, this.#execute(query), this.#ask({ text: 'commit' })] as const;
    // The connection is free once all results have arrived.
    await Promise.allSettled(answers).finally(() => clearInterval(this.#signsOfLife));
    const [, result] = await Promise.all(answers);
    return result;
  }

  /** Runs one statement outside any transaction, even behind a pooler. */
  alone(text: string): Promise<QueryResult<never>> {
    return this.#ask({ text });
  }

  /** Closes the connection at once. Pending statements fail. */
  disconnect(): void {
    this.#client.connection.stream.destroy();
  }

  async #execute({ sql, parameters }: Statement): Promise<QueryResult<never>> {
    const name = this.#isPreparing ? nameOf(sql) : undefined;
    try {
      return await this.#ask({
        text: sql,
        values: parameters as unknown[],
        ...(name === undefined ? {} : { name }),
      });
    } catch (error) {
      // A pooler keeps an invalid statement, or has mixed up two sessions: a new connection to it would not help.
      if (this.#settings !== undefined && failureKindOf(error) === 'stale') names.set(sql, undefined);
      throw error;
    }
  }

  /** Runs one statement with its own time limit, in one round trip: the limit ends with the transaction. */
  async readWithin(statement: Statement, timeoutMs: number): Promise<QueryResult<never>> {
    this.begin('read committed, read only');
    const limit = this.#noting(this.#ask({ text: `set local statement_timeout = ${Math.ceil(timeoutMs)}` }));
    const answer = this.#noting(this.#execute(statement));
    // The commit reports their failures.
    for (const one of [limit, answer]) one.catch(() => {});
    await this.commit();
    return answer;
  }

  async #ask(query: pg.QueryConfig): Promise<QueryResult<never> & { command: string }> {
    this.#gather();
    try {
      const { rows, rowCount, command } = await this.#client.query(query);
      return { rows: rows as never[], numAffectedRows: BigInt(rowCount ?? 0), command };
    } catch (error) {
      throw asFailure(error);
    }
  }

  /**
   * Runs one statement of the transaction. A write is not sent until `begin` has succeeded: outside a transaction it
   * would commit on its own. A read or a lock would do no harm.
   */
  async #run(query: CompiledQuery): Promise<QueryResult<never>> {
    if (query.query.kind !== 'SelectQueryNode') this.#holdsBack = true;
    if (this.#holdsBack) await this.#begun;
    return this.#noting(this.#execute(query));
  }

  async #noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  /**
   * Begins a transaction in which each statement sees everything committed before it: a read after a lock sees the
   * data that the lock protects. There is no need to await it: if `begin` fails, the later statements fail.
   */
  begin(isolation = 'read committed'): void {
    this.#failure = undefined;
    this.#holdsBack = false;
    this.#warned = false;
    this.#begun = this.#noting(
      this.#ask({ text: `begin isolation level ${isolation}${this.#settings ?? ''}` }),
    );
    this.#begun.catch(() => {});
    this.#stayAlive();
  }

  /** Keeps the transaction from being idle, until it ends. */
  #stayAlive(): void {
    clearInterval(this.#signsOfLife);
    let left = MAX_SIGNS_OF_LIFE;
    this.#signsOfLife = setInterval(() => {
      left -= 1;
      if (left === 0 || this.#failure !== undefined) clearInterval(this.#signsOfLife);
      // Its failure may come before the one that causes it, and is not noted.
      else this.#ask({ text: 'select 1' }).catch(() => {});
    }, SIGN_OF_LIFE_MS).unref();
  }

  /** Begins a read-only snapshot. It holds no locks, so it has no idle limit. */
  beginSnapshot(): void {
    this.begin('repeatable read, read only');
    const unlimited = { text: 'set local idle_in_transaction_session_timeout = 0' };
    this.#noting(this.#ask(unlimited)).catch(() => {});
  }

  /**
   * Commits the executed statements.
   * @throws the failure that rolled the transaction back, or UnknownOutcome
   */
  async commit(): Promise<void> {
    clearInterval(this.#signsOfLife);
    if (this.#holdsBack) await this.#begun;
    if (this.#failure !== undefined) {
      await this.rollback();
      throw this.#failure;
    }
    const { command } = await this.#ask({ text: 'commit' }).catch((error) => {
      throw this.#outcomeOf(error);
    });
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK.
    if (command !== 'COMMIT') throw this.#failure ?? new Error('The transaction was not committed.');
    if (this.#warned) throw new UnknownOutcome('No standby has confirmed a commit.');
  }

  /** Rolls back, if the connection still works. */
  async rollback(): Promise<void> {
    clearInterval(this.#signsOfLife);
    // Send held-back statements first: after the transaction they would commit on their own.
    if (this.#holdsBack) await this.#begun.catch(() => {});
    if (isConnectionGone(this.#failure)) {
      this.#isBroken = true;
      return;
    }
    await this.#ask({ text: 'rollback' }).catch(() => {
      this.#isBroken = true;
    });
  }

  /** The outcome of a failed commit. Nothing was committed if it was not sent, or if the server says so. */
  #outcomeOf(error: unknown): unknown {
    const first = this.#failure ?? error;
    if (wasNotSent(error)) return first;
    if (first instanceof pg.DatabaseError && !UNSURE.test(first.code ?? '')) return first;
    return new UnknownOutcome('The connection was lost during a commit.', { cause: first });
  }
}
