import type { OwnerName } from '../../dns/names.ts';
import { type BlacklistIndex, formsOf } from '../../model/blacklists/name-index.ts';
import { NOTHING_NON_ENFORCING, type NonEnforcingMatches } from '../../model/blacklists/noted.ts';
import { ALWAYS, bothSpans, covers, type Rule, type ValiditySpan } from '../../model/blacklists/rule.ts';
import type { AddedPattern, Revision } from '../../model/blacklists/store.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, type ErrorKind } from '../../model/errors.ts';
import type { Store } from '../../model/store.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { StaleRevision } from '../unit-of-work/unit-of-work.ts';
import type { BlacklistChecker } from './blacklist-checker.ts';
import { type Admission, type NameAdmission, OWNER_NAMES } from './name-admission.ts';
import { RefusedNames } from './refused-names.ts';

/** Maximum number of newer patterns checked on their own; if there are more, all names are checked again. */
const MAX_NEWER = 10_000;
/** Maximum number of matching entries reported for a create. */
const MAX_NON_ENFORCING = 100;
/** Maximum time to check the names of one file, in milliseconds. */
const LONGEST = 300_000;

const OUT_OF_TIME =
  'Checking the names in the file against the blacklists took more than five minutes, so nothing was created. Import fewer records at a time, or ask an administrator to review slow patterns.';

/** An index of some of the patterns. */
export interface PatternFilter extends Pick<BlacklistIndex, 'add' | 'check'> {
  close(): Promise<void>;
}

/** The names in a file or in a zone, by number. */
export interface NameList {
  /** Each name once. */
  each(): Iterable<number>;
  name(one: number): OwnerName;
  /** Lines of the file with this name, in order; none if it is not a file. */
  lines(one: number): readonly number[];
}

export interface ManyNamesDeps {
  readonly checker: BlacklistChecker;
  readonly store: Pick<Store, 'blacklists'>;
  readonly admitName: NameAdmission;
  /** Creates an empty index. */
  readonly newFilter: () => PatternFilter;
}

/**
 * Combines the admissions of two names.
 * @throws StaleRevision if they are for different revisions
 */
export function bothAdmitted(one: Admission, other: Admission): Admission {
  if (one.revision !== other.revision) throw new StaleRevision();
  const bypassed = one.bypassed ?? other.bypassed;
  return {
    revision: one.revision,
    span: bothSpans(one.span, other.span),
    noted: mergeNonEnforcing(one.noted, other.noted),
    ...(bypassed === undefined ? {} : { bypassed }),
  };
}

function mergeNonEnforcing(one: NonEnforcingMatches, other: NonEnforcingMatches): NonEnforcingMatches {
  if (one.found === 0) return other;
  const known = new Set(one.rules.map(({ number }) => number));
  const more = other.rules.filter(({ number }) => !known.has(number));
  const repeated = other.rules.length - more.length;
  return {
    rules: [...one.rules, ...more].slice(0, MAX_NON_ENFORCING),
    found: one.found + other.found - repeated,
  };
}

function isRefusal(error: unknown, kind: ErrorKind): error is DomainError {
  return error instanceof DomainError && error.kind === kind;
}

/** The refusal for a name that could not be decided. Further names are not checked, since that takes long. */
function unchecked(lines: readonly number[], { message, details }: DomainError): DomainError {
  const faults = lines.map((line) => ({ path: ['line', line], message }));
  return new DomainError(OWNER_NAMES.unchecked, message, { faults, details });
}

/**
 * Checks the names of a file before the transaction that creates them. When called again, it checks only names that a
 * newer pattern may match.
 */
export class ManyNames {
  readonly #deps: ManyNamesDeps;
  readonly #names: NameList;
  /** All names have been checked against the patterns up to this revision. */
  #revision: Revision | undefined;
  #span: ValiditySpan = ALWAYS;
  #bypassed: string | undefined;
  readonly #noted = new Map<number, Rule>();
  #checkedForMs = 0;

  constructor(deps: ManyNamesDeps, names: NameList) {
    this.#deps = deps;
    this.#names = names;
  }

  /**
   * @throws DomainError `blacklisted_recordset` with the lines of all refused names, or `unchecked_recordset` for the
   *   first undecided one
   */
  async admit(context: RequestContext): Promise<Admission> {
    const startedAt = performance.now();
    const { revision } = this.#deps.checker;
    const turns = new TimeSlices(context.projectId);
    const filter = await this.#newer(revision, turns);
    try {
      if (filter !== 'nothing') await this.#check(context, filter, { startedAt, turns });
    } finally {
      if (typeof filter === 'object') await filter.close();
    }
    this.#checkedForMs += performance.now() - startedAt;
    this.#revision = revision;
    return this.#admission(revision);
  }

  #admission(revision: Revision): Admission {
    const rules = [...this.#noted.values()];
    const noted = rules.length === 0 ? NOTHING_NON_ENFORCING : { rules, found: rules.length };
    const bypassed = this.#bypassed === undefined ? {} : { bypassed: this.#bypassed };
    return { revision, span: this.#span, noted, ...bypassed };
  }

  /** The patterns that the names have not been checked against yet. */
  async #newer(upTo: Revision, turns: TimeSlices): Promise<PatternFilter | 'nothing' | 'everything'> {
    const after = this.#revision;
    if (after === undefined || after > upTo || (await this.#hasExpired())) return this.#anew();
    if (after === upTo) return 'nothing';
    const filter = this.#deps.newFilter();
    let size = 0;
    for await (const batch of this.#deps.store.blacklists.added(after, upTo)) {
      size += batch.length;
      if (size > MAX_NEWER) {
        await filter.close();
        return this.#anew();
      }
      // The entry's other terms are evaluated only if its pattern matches.
      const add = ({ number, pattern }: AddedPattern) =>
        filter.add(number, pattern, { enforced: true, conditional: false });
      await eachInTurns(batch, add, turns);
    }
    return filter;
  }

  #anew(): 'everything' {
    this.#span = ALWAYS;
    this.#bypassed = undefined;
    this.#noted.clear();
    return 'everything';
  }

  /** True if an expiry that the decisions depend on has passed, by the clock that the creating transaction uses. */
  async #hasExpired(): Promise<boolean> {
    if (this.#span === ALWAYS) return false;
    const { instant } = await this.#deps.store.blacklists.present();
    return instant === undefined || !covers(this.#span, instant);
  }

  async #check(
    context: RequestContext,
    filter: PatternFilter | 'everything',
    { startedAt, turns }: { readonly startedAt: number; readonly turns: TimeSlices },
  ): Promise<void> {
    let refused: RefusedNames | undefined;
    for (const one of this.#names.each()) {
      const name = this.#names.name(one);
      const isAsked = filter === 'everything' || !(await isFree(filter, name, context));
      if (isAsked) refused = await this.#checkOne(context, one, refused);
      if (refused?.isFull) throw refused.toError(false);
      if (!turns.isOver) continue;
      await turns.next();
      this.#requireTime(performance.now() - startedAt, one);
    }
    if (refused !== undefined) throw refused.toError(true);
  }

  #requireTime(ms: number, one: number): void {
    if (this.#checkedForMs + ms < LONGEST) return;
    throw unchecked(this.#names.lines(one).slice(0, 1), new DomainError(OWNER_NAMES.unchecked, OUT_OF_TIME));
  }

  /** @param refused the names refused so far; if set, only lines are added to it */
  #checkOne(context: RequestContext, one: number, refused?: RefusedNames): Promise<RefusedNames | undefined> {
    return refused === undefined ? this.#admitOne(context, one) : this.#addOne(context, one, refused);
  }

  async #addOne({ projectId }: RequestContext, one: number, refused: RefusedNames): Promise<RefusedNames> {
    const { kind } = await this.#deps.checker.check(this.#names.name(one), projectId);
    if (kind === 'blocked') refused.add(this.#names.lines(one));
    return refused;
  }

  async #admitOne(context: RequestContext, one: number): Promise<RefusedNames | undefined> {
    try {
      this.#keep(await this.#deps.admitName(context, this.#names.name(one)));
      return undefined;
    } catch (error) {
      const lines = this.#names.lines(one);
      if (isRefusal(error, OWNER_NAMES.unchecked)) throw unchecked(lines, error);
      if (isRefusal(error, OWNER_NAMES.blacklisted)) return new RefusedNames(error, lines);
      throw error;
    }
  }

  #keep({ span, bypassed, noted }: Admission): void {
    if (span !== ALWAYS) this.#span = bothSpans(this.#span, span);
    this.#bypassed ??= bypassed;
    for (const rule of noted.rules)
      if (this.#noted.size < MAX_NON_ENFORCING) this.#noted.set(rule.number, rule);
  }
}

async function isFree(
  filter: PatternFilter,
  name: OwnerName,
  { projectId }: RequestContext,
): Promise<boolean> {
  return (await filter.check(formsOf(name), projectId)).kind === 'free';
}
