/** The checks of the guardrails, and which parts of a change each of them concerns. */
import type { ContentChange } from '../../model/changes/contents.ts';
import type {
  GuardrailFinding,
  GuardrailMode,
  GuardrailModes,
  GuardrailName,
} from '../../model/guardrails/guardrail.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { CheckScope } from './check-scope.ts';
import { inUse, removesAddress } from './in-use.ts';
import { concernsMail, mailPolicy } from './mail.ts';
import { danglingTargets, delegates, lameDelegation, pointsAnywhere } from './pointing.ts';

interface PartCheck {
  readonly name: Exclude<GuardrailName, 'mass_deletion'>;
  /** Whether it can catch anything in the part. */
  concerns(part: ContentChange): boolean;
  /** Returns a message for each thing that it catches. */
  check(scope: CheckScope, part: ContentChange): Promise<readonly string[]>;
}

const CHECKS: readonly PartCheck[] = [
  { name: 'in_use', concerns: removesAddress, check: inUse },
  { name: 'dangling_target', concerns: pointsAnywhere, check: danglingTargets },
  { name: 'lame_delegation', concerns: delegates, check: lameDelegation },
  { name: 'mail_policy', concerns: concernsMail, check: mailPolicy },
];

/** A part that some check in force concerns. */
export interface ConcernedPart {
  readonly part: ContentChange;
  /** Where it stands in the change. */
  readonly number: number;
  readonly checks: readonly PartCheck[];
}

export function finding(
  guardrail: GuardrailName,
  mode: GuardrailMode,
  message: string,
  part?: number,
): GuardrailFinding[] {
  if (mode === 'off') return [];
  return [{ guardrail, mode, message: `Guardrail ${guardrail}: ${message}`, part }];
}

/** The checks in force that concern a part; undefined if there are none. */
export function concernedPart(
  part: ContentChange,
  number: number,
  modes: GuardrailModes,
): ConcernedPart | undefined {
  if (part.recordset.managed) return undefined;
  const checks = CHECKS.filter(({ name, concerns }) => concerns(part) && modes[name] !== 'off');
  return checks.length === 0 ? undefined : { part, number, checks };
}

/** What the guardrails find in a part. */
export async function partFindings(
  scope: CheckScope,
  { part, number, checks }: ConcernedPart,
): Promise<readonly GuardrailFinding[]> {
  const found = checks.map(async ({ name, check }) =>
    (await check(scope, part)).flatMap((message) => finding(name, scope.modes[name], message, number)),
  );
  return (await pipelined(...found)).flat();
}

/** Those names of removed addresses that others may need; undefined if none is removed. */
export async function neededIn({ reads, zone }: CheckScope, parts: readonly ConcernedPart[]) {
  const names = new Set(
    parts.filter(({ part }) => removesAddress(part)).map(({ part }) => part.recordset.name),
  );
  return names.size === 0 ? undefined : reads.neededAmong(zone.projectId, [...names]);
}
