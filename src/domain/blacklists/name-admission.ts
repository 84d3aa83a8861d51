import type { OwnerName } from '../../dns/names.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { NOTHING_NON_ENFORCING, type NonEnforcingMatches } from '../../model/blacklists/noted.ts';
import type { Rule, ValiditySpan } from '../../model/blacklists/rule.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { Clock } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, type ErrorKind } from '../../model/errors.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { BlacklistChecker } from './blacklist-checker.ts';
import type { HitCounter } from './hit-counter.ts';

/** Permission to create a name, valid for one revision of the blacklists and a time span. */
export interface Admission {
  readonly revision: Revision;
  readonly span: ValiditySpan;
  /** The blacklist that the name matches, if the caller may use a blacklisted name. */
  readonly bypassed?: string;
  /** Matching blacklists that do not refuse the name. */
  readonly noted: NonEnforcingMatches;
  /** Set if the name is already in use, so that it is allowed whatever it matches. */
  readonly isInUse?: true;
}

/** The kind of a name determines the rule that lets a blacklisted one pass, and the refusals. */
interface NameKind {
  readonly bypass: RuleName;
  readonly blacklisted: ErrorKind;
  readonly unchecked: ErrorKind;
  /** Details for the event of a refusal, whose target is the zone. */
  details(name: OwnerName): object;
}

const ZONE_NAMES: NameKind = {
  bypass: 'use_blacklisted_zone',
  blacklisted: 'blacklisted_name',
  unchecked: 'unchecked_name',
  details: () => ({}),
};

/** The names of records. */
export const OWNER_NAMES: NameKind = {
  bypass: 'use_blacklisted_recordset',
  blacklisted: 'blacklisted_recordset',
  unchecked: 'unchecked_recordset',
  details: (recordset) => ({ recordset }),
};

const never = async (): Promise<boolean> => false;

/** Maximum number of patterns marked for one undecided name. */
const MAX_MARKED = 100;

export interface NameAdmissionDeps {
  readonly checker: BlacklistChecker;
  readonly hits: HitCounter;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: AccessControl;
}

/** Side effects of a name that matches. */
interface SideEffects {
  /** True if the policy may let the caller use the name anyway. */
  mayBypass(context: RequestContext): boolean;
  /** The patterns exhausted the budget. */
  undecided(numbers: readonly number[]): Promise<void>;
  refused(rules: readonly Rule[]): void;
}

/**
 * For checks without side effects. A command checks for a project, which lacks the command's rights, so it never
 * bypasses.
 */
const NONE: SideEffects = {
  mayBypass: ({ origin }) => origin.kind !== 'command',
  async undecided() {},
  refused() {},
};

/** Marks patterns that exhausted the budget, for administrators, and counts hits. Refusals do not depend on either. */
function aftermathOf({ store, hits, clock, log }: NameAdmissionDeps): SideEffects {
  return {
    mayBypass: () => true,
    async undecided(numbers) {
      try {
        await store.transaction(async (tx) =>
          tx.blacklists.markExhausted(numbers.slice(0, MAX_MARKED), clock.now()),
        );
      } catch (error) {
        log.error({ err: error }, 'patterns could not be marked');
      }
    },
    refused(rules) {
      for (const { id } of rules) hits.count(id, 'refused');
    },
  };
}

/** @throws DomainError the refusals of the kind */
function admissionBy(
  { checker, access }: Pick<NameAdmissionDeps, 'checker' | 'access'>,
  kindOfName: NameKind,
  aftermath: SideEffects,
) {
  /** @param isInUse called only if the name would be refused: a name that is in use is not */
  return async (context: RequestContext, name: OwnerName, isInUse = never): Promise<Admission> => {
    const decision = await checker.check(name, context.projectId);
    const { kind, revision, span } = decision;
    if (kind === 'free') return { revision, span, noted: decision.noted };
    if (await isInUse()) return { revision, span, noted: NOTHING_NON_ENFORCING, isInUse: true };
    if (kind === 'undecided') {
      await aftermath.undecided(decision.numbers);
      throw new DomainError(kindOfName.unchecked, undefined, {
        details: { ...kindOfName.details(name), patterns: decision.numbers },
      });
    }
    const { rules } = decision;
    const { id } = rules[0]!;
    if (
      aftermath.mayBypass(context) &&
      access.allows(context, kindOfName.bypass, { projectId: context.projectId })
    ) {
      return { revision, span, bypassed: id, noted: NOTHING_NON_ENFORCING };
    }
    aftermath.refused(rules);
    throw new DomainError(kindOfName.blacklisted, undefined, {
      details: { ...kindOfName.details(name), blacklist: id },
    });
  };
}

/**
 * Checks a new name against the blacklists.
 * @throws DomainError the refusals of the kind
 */
export function nameAdmission(deps: NameAdmissionDeps, kindOfName: NameKind = ZONE_NAMES) {
  return admissionBy(deps, kindOfName, aftermathOf(deps));
}

/** Like `nameAdmission`, but without side effects: it marks and counts nothing. */
export function admissionCheck(
  deps: Pick<NameAdmissionDeps, 'checker' | 'access'>,
  kindOfName: NameKind = ZONE_NAMES,
) {
  return admissionBy(deps, kindOfName, NONE);
}

export type NameAdmission = ReturnType<typeof nameAdmission>;
