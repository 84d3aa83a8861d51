import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import pg from 'pg';
import type { OpenTransaction } from '../database.ts';
import { statementsOver } from '../kysely-over.ts';
import type { Schema } from '../schema.ts';
import { asFailure, isConnectionGone, UnknownOutcome } from './trouble.ts';

/** Of connections, of the end of a server, of its system and its inside, and "statement completion unknown". */
const UNSURE = /^(08|57P|58|XX|40003)/;

const MOST_NAMES = 500;
/** A longer text is that of many values at a time: prepared, one of each length would fill the server's memory. */
const LONGEST_PREPARED = 2000;
const names = new Map<string, string>();

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** What the types of the driver do not tell of. */
type Connected = pg.ClientBase & { readonly connection: { readonly stream: Duplex } };

/** The name of a prepared statement: that of its text, so that it is the same on every connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  // Lists of any length make texts without end. Those that come late are not prepared.
  if (names.size >= MOST_NAMES || text.length > LONGEST_PREPARED) return undefined;
  const name = `zw_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}

/**
 * One connection. Statements are sent as they come, without waiting for the answers to those before: they take one
 * round trip together.
 */
export class Session implements OpenTransaction {
  readonly now: Kysely<Schema>;
  readonly later: OpenTransaction['later'];
  readonly #client: Connected;
  /** The first failure in the present transaction: what fails after it fails because of it. */
  #failure: unknown;
  /** The answer to the beginning of the transaction. */
  #begun: Promise<unknown> = Promise.resolve();
  /** Whether something waits for it, so that what follows has to wait too. */
  #holdsBack = false;
  #warned = false;
  #isBroken = false;
  #isGathering = false;

  constructor(client: pg.ClientBase) {
    this.#client = client as Connected;
    const { now, later } = statementsOver('postgresql', (query) => this.#run(query));
    this.now = now;
    this.later = later;
    // Warnings of the class 01 amid a commit say that a standby has not confirmed it.
    client.on('notice', ({ code }) => {
      if (code === '01000') this.#warned = true;
    });
  }

  /** Whether a transaction could not be ended on it. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Statements that are executed in one turn of the event loop leave in one packet: the driver sends each by itself. */
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

  /** Runs one statement, outside of a transaction. */
  read({ sql, parameters }: Statement): Promise<QueryResult<never>> {
    const name = nameOf(sql);
    return this.#ask({ text: sql, values: parameters as unknown[], ...(name === undefined ? {} : { name }) });
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
   * Runs one statement of the transaction. One that writes is not sent before the transaction is known to have begun:
   * without one it would be committed by itself. What only reads or locks can do no harm then.
   */
  async #run(query: CompiledQuery): Promise<QueryResult<never>> {
    if (query.query.kind !== 'SelectQueryNode') this.#holdsBack = true;
    if (this.#holdsBack) await this.#begun;
    return this.#noting(this.read(query));
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
   * Begins a transaction, of which each statement sees what was committed before it: what is read after a lock was
   * waited for is what the lock guards. Nobody has to wait for the answer: where it fails, what follows fails.
   */
  begin(isolation = 'read committed'): void {
    this.#failure = undefined;
    this.#holdsBack = false;
    this.#warned = false;
    this.#begun = this.#noting(this.#ask({ text: `begin isolation level ${isolation}` }));
    this.#begun.catch(() => {});
  }

  /** Begins a transaction that sees one state and locks nothing, so that it may take as long as it likes. */
  beginSnapshot(): void {
    this.begin('repeatable read, read only');
    const unlimited = { text: 'set local idle_in_transaction_session_timeout = 0' };
    this.#noting(this.#ask(unlimited)).catch(() => {});
  }

  /**
   * Commits what has been executed.
   * @throws the failure that took the transaction back, or UnknownOutcome
   */
  async commit(): Promise<void> {
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

  /** Takes back what has been sent, where there is a connection for it. */
  async rollback(): Promise<void> {
    // What is held back is sent first: after the end of the transaction it would be committed by itself.
    if (this.#holdsBack) await this.#begun.catch(() => {});
    if (isConnectionGone(this.#failure)) {
      this.#isBroken = true;
      return;
    }
    await this.#ask({ text: 'rollback' }).catch(() => {
      this.#isBroken = true;
    });
  }

  /** What a commit that failed has come to: only the server can say that nothing is committed. */
  #outcomeOf(error: unknown): unknown {
    const first = this.#failure ?? error;
    if (first instanceof pg.DatabaseError && !UNSURE.test(first.code ?? '')) return first;
    return new UnknownOutcome('The connection was lost during a commit.', { cause: first });
  }
}
