/** The guardrail `mail_policy`. */
import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import { mailPolicyFaults } from '../../model/guardrails/mail-policy.ts';
import type { CheckScope } from './check-scope.ts';
import { listOf, naming, pointersAfter } from './in-use.ts';
import { newTargets } from './zone-after.ts';

const WHY = 'A mail server must have addresses of its own (RFC 2181, section 10.3)';

/** MX records that point at a CNAME. */
async function serversAtCnames(scope: CheckScope, part: ContentChange): Promise<readonly string[]> {
  const check = async (target: OwnerName): Promise<readonly string[]> => {
    const found = await scope.nameAfter(target);
    if (found?.types.has('CNAME') !== true) return [];
    return [
      `${naming(part.recordset)} points at "${target}", which has a CNAME. ${WHY}: point it at the target of the CNAME.`,
    ];
  };
  return (await Promise.all(newTargets(part).map(check))).flat();
}

/** A CNAME at a name that an MX points at. An MX of the same change is found with that. */
async function cnameAtServer(scope: CheckScope, { recordset }: ContentChange): Promise<readonly string[]> {
  const added = new Set(scope.after.nowPointingAt(recordset.name).map(({ id }) => id));
  const found = await pointersAfter(scope, recordset.name, 'MX');
  const stored = found.filter(({ recordsetId }) => !added.has(recordsetId!));
  if (stored.length === 0) return [];
  return [
    `${naming(recordset)} is at a mail server's name: ${listOf(stored, scope)} points at it. ${WHY}: use A and AAAA instead, or point the MX elsewhere first.`,
  ];
}

const CONCERNED: readonly StoredType[] = ['MX', 'CNAME', 'TXT', 'SPF'];

export function concernsMail({ kind, recordset: { type } }: ContentChange): boolean {
  return kind !== 'removed' && CONCERNED.includes(type);
}

/** @param part one that concerns mail */
export async function mailPolicy(scope: CheckScope, part: ContentChange): Promise<readonly string[]> {
  const { recordset } = part;
  if (recordset.type === 'MX') return serversAtCnames(scope, part);
  if (recordset.type === 'CNAME') return part.kind === 'added' ? cnameAtServer(scope, part) : [];
  const before = part.kind === 'replaced' ? part.before.records : [];
  return mailPolicyFaults(recordset, before).map((fault) => `${naming(recordset)} ${fault}.`);
}
