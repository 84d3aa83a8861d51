/** Checks what a change leaves behind in a zone, before it is written. */

import { limitsInZone } from '../../model/access/scope.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import {
  type GuardrailFinding,
  type GuardrailModes,
  type GuardrailName,
  type GuardrailOutcome,
  type GuardrailWarning,
  modesInForce,
  NO_FINDINGS,
} from '../../model/guardrails/guardrail.ts';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { AccessControl } from '../access/access-control.ts';
import { type ApexSettings, nameServersOf } from '../zones/apex.ts';
import { isReachedByShare, policyTarget } from '../zones/visible-zone.ts';
import { scopeOver } from './check-scope.ts';
import { type ConcernedPart, concernedPart, finding, neededIn, partFindings } from './part-checks.ts';
import { ZoneAfter } from './zone-after.ts';

export interface GuardrailDeps {
  readonly access: AccessControl;
  readonly apex: ApexSettings;
  /** The modes of zones without their own. */
  readonly guardrails: GuardrailModes;
  readonly meter?: Pick<MetricsRecorder, 'guardrailFound'>;
}

/** A change of a zone's recordsets that is about to be written. The zone is locked. */
export interface GuardedChange {
  readonly zone: Zone;
  readonly parts: readonly ContentChange[];
  /** True for several changes that are made as one: only these are checked for mass deletion. */
  readonly isSet?: boolean;
}

/** What the guardrails make of a change. */
export interface GuardrailVerdict {
  /** The findings that refuse it. */
  readonly refusals: readonly GuardrailFinding[];
  /** What to report if there are none. */
  readonly outcome: GuardrailOutcome;
}

/** Options of a write that guardrails check. */
export interface GuardedOptions {
  /** Guardrails whose refusal is to pass. */
  readonly overrides?: readonly GuardrailName[] | undefined;
}

/** A finding names other records, which a scope of the caller may hide. */
function withoutNames({ scope }: RequestContext, zone: Zone, findings: readonly GuardrailFinding[]) {
  if (limitsInZone(scope, zone).length === 0) return findings;
  return findings.map((one) => ({
    ...one,
    message: `Guardrail ${one.guardrail}: other records, which your scope hides, stand against it.`,
  }));
}

/** Zones with fewer recordsets are not checked for mass deletion. */
const MASS_OF = 20;
/** Parts whose lookups are sent together. */
const PARTS_OF_A_ROUND = 50;

function toWarning({ guardrail, message }: GuardrailFinding): GuardrailWarning {
  return { guardrail, message };
}

function massDeletion({ zone, parts, isSet }: GuardedChange, { mass_deletion: mode }: GuardrailModes) {
  if (isSet !== true || zone.recordsets < MASS_OF) return [];
  const removed = parts.filter(({ kind, recordset }) => kind === 'removed' && !recordset.managed).length;
  if (removed * 2 <= zone.recordsets) return [];
  const message = `${removed} of the ${zone.recordsets} recordsets of the zone "${zone.name}" would be deleted. Check that this is meant, or delete fewer at a time.`;
  return finding('mass_deletion', mode, message);
}

async function concernedParts(parts: readonly ContentChange[], modes: GuardrailModes, turns: TimeSlices) {
  const concerned: ConcernedPart[] = [];
  let number = 0;
  const add = (part: ContentChange): void => {
    const one = concernedPart(part, number, modes);
    if (one !== undefined) concerned.push(one);
    number += 1;
  };
  await eachInTurns(parts, add, turns);
  return concerned;
}

export function guardrailChecks({ access, apex, guardrails: defaults, meter }: GuardrailDeps) {
  /** What the guardrails in force find, in the order of the parts. Refuses nothing. */
  async function find(
    tx: Pick<Transaction, 'guardrails'>,
    context: RequestContext,
    change: GuardedChange,
    turns = new TimeSlices(),
  ): Promise<readonly GuardrailFinding[]> {
    const { zone, parts } = change;
    const modes = modesInForce(zone.guardrails, defaults);
    const findings: GuardrailFinding[] = massDeletion(change, modes);
    const concerned = await concernedParts(parts, modes, turns);
    if (concerned.length === 0) return withoutNames(context, zone, findings);
    const after = new ZoneAfter(zone);
    await eachInTurns(parts, (part) => after.add(part), turns);
    const scope = scopeOver({
      reads: tx.guardrails,
      zone,
      after,
      modes,
      nameServers: nameServersOf(zone, apex),
      isByShare: isReachedByShare(context, zone),
    });
    // One look-up more for a large change, and in general few of each part.
    const isLarge = concerned.length > PARTS_OF_A_ROUND;
    for (let start = 0; start < concerned.length; start += PARTS_OF_A_ROUND) {
      if (turns.isOver) await turns.next();
      const round = concerned.slice(start, start + PARTS_OF_A_ROUND);
      const known = { ...scope, needed: isLarge ? await neededIn(scope, round) : undefined };
      const found = await pipelined(...round.map((one) => partFindings(known, one)));
      findings.push(...found.flat());
    }
    return withoutNames(context, zone, findings);
  }

  /**
   * Whether a refusal may be overridden.
   * @throws DomainError `access_denied` if the caller asks for it, but may not
   */
  function isOverridden(
    context: RequestContext,
    zone: Zone,
    { guardrail, mode }: GuardrailFinding,
    overrides: readonly GuardrailName[],
  ): boolean {
    if (mode !== 'refuse' || !overrides.includes(guardrail)) return false;
    access.require(context, 'override_guardrail', policyTarget(context, zone));
    return true;
  }

  /**
   * Divides findings into those that refuse the change, and the outcome if none of them does.
   * @throws DomainError `access_denied`
   */
  function decide(
    context: RequestContext,
    zone: Zone,
    findings: readonly GuardrailFinding[],
    overrides: readonly GuardrailName[],
  ): GuardrailVerdict {
    if (findings.length === 0) return { refusals: [], outcome: NO_FINDINGS };
    const overridden = new Set<GuardrailName>();
    for (const one of findings) {
      const isKnown = overridden.has(one.guardrail);
      if (!isKnown && isOverridden(context, zone, one, overrides)) overridden.add(one.guardrail);
    }
    const isPassed = (one: GuardrailFinding): boolean => one.mode === 'warn' || overridden.has(one.guardrail);
    return {
      refusals: findings.filter((one) => !isPassed(one)),
      outcome: { warnings: findings.filter(isPassed).map(toWarning), overrides: [...overridden] },
    };
  }

  /** Counts the findings that refused a change. */
  function countRefused(refusals: readonly Pick<GuardrailFinding, 'guardrail'>[]): void {
    for (const { guardrail } of refusals) meter?.guardrailFound(guardrail, 'refused');
  }

  /**
   * The outcome of a change that no guardrail refuses. Called last: every other refusal takes precedence.
   * @throws DomainError `guardrail`
   */
  function requirePassed({ refusals, outcome }: GuardrailVerdict): GuardrailOutcome {
    if (refusals.length === 0) return outcome;
    countRefused(refusals);
    const names = [...new Set(refusals.map(({ guardrail }) => guardrail))];
    const messages = refusals.map(({ message }) => message).join(' ');
    throw new DomainError('guardrail', `${messages} To do it nevertheless, override ${names.join(', ')}.`, {
      details: { guardrails: names },
    });
  }

  /** Counts the findings of a change after its commit. */
  function count({ warnings, overrides }: GuardrailOutcome): void {
    for (const { guardrail } of warnings)
      meter?.guardrailFound(guardrail, overrides.includes(guardrail) ? 'overridden' : 'warned');
  }

  return {
    find,
    decide,
    requirePassed,
    count,
    countRefused,
    /** `find` and `decide` in one step. */
    async check(
      tx: Pick<Transaction, 'guardrails'>,
      context: RequestContext,
      change: GuardedChange,
      { overrides = [] }: GuardedOptions,
    ): Promise<GuardrailVerdict> {
      return decide(context, change.zone, await find(tx, context, change), overrides);
    },
  };
}

export type GuardrailChecks = ReturnType<typeof guardrailChecks>;
