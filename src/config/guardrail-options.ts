import { choice } from './kinds.ts';
import { option } from './option.ts';

const mode = choice(['off', 'warn', 'refuse']);

function guardrail(name: string, caught: string) {
  return option(
    'guardrails',
    name,
    mode,
    'warn',
    `Mode of the guardrail ${name} in zones that set none of their own: off, warn or refuse. It catches ${caught}.`,
  );
}

/** The section `[guardrails]`: what a write may leave behind in a zone. */
export const GUARDRAIL_OPTIONS = {
  guardrailInUse: guardrail(
    'in_use',
    'deletions of the last A and AAAA of a name that other records point at',
  ),
  guardrailDanglingTarget: guardrail(
    'dangling_target',
    "records that point at a name in one of the project's zones that does not exist",
  ),
  guardrailLameDelegation: guardrail(
    'lame_delegation',
    'delegations to the name servers of this service without a zone here',
  ),
  guardrailMassDeletion: guardrail(
    'mass_deletion',
    'sets of changes that delete more than half of at least 20 recordsets',
  ),
  guardrailMailPolicy: guardrail(
    'mail_policy',
    'SPF and DMARC records that receivers ignore, and mail servers whose name is a CNAME',
  ),
} as const;
