import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestedProtection } from '../../src/domain/protection/protection.ts';
import { DomainError } from '../../src/model/errors.ts';
import type { Protection, ProtectionRequest } from '../../src/model/protection/protection.ts';
import { memberContext } from '../support/contexts.ts';

const reasons = fc.option(fc.constantFrom('', 'one', 'other'));
const presents: fc.Arbitrary<Protection | null> = fc.option(fc.record({ reason: reasons }));
const requests: fc.Arbitrary<ProtectionRequest> = fc.record(
  { isProtected: fc.boolean(), reason: reasons },
  { requiredKeys: [] },
);

const context = memberContext('p');

/** The outcome of a request, and the rules that it asked for. */
function outcomeOf(present: Protection | null, asked: ProtectionRequest, isAllowed = true) {
  const rules: string[] = [];
  const access = {
    require(_: unknown, rule: string) {
      rules.push(rule);
      if (!isAllowed) throw new DomainError('access_denied');
    },
  };
  try {
    return { rules, after: requestedProtection(access, context, { projectId: 'p' }, present, asked) };
  } catch (error) {
    return { rules, refusal: (error as DomainError).kind };
  }
}

const shown = (protection: Protection | null) => [protection !== null, protection?.reason ?? null];

it('of a request becomes what was asked for; what is left out stays, and a reason goes with the protection', () => {
  fc.assert(
    fc.property(presents, requests, (present, asked) => {
      const [isProtected, reason] = shown(present);
      const wanted = { isProtected, ...asked };
      const left = wanted.isProtected ? reason : null;
      const wantedReason = asked.reason === undefined ? left : asked.reason;
      const { after, refusal } = outcomeOf(present, asked);
      if (!wanted.isProtected && wantedReason !== null) expect(refusal).toBe('invalid_object');
      else expect(shown(after!)).toEqual([wanted.isProtected, wantedReason]);
    }),
  );
});

it('asks for the rule exactly where the request gives one of the two fields another value', () => {
  fc.assert(
    fc.property(presents, requests, (present, asked) => {
      const [isProtected, reason] = shown(present);
      const differs =
        (asked.isProtected !== undefined && asked.isProtected !== isProtected) ||
        (asked.reason !== undefined && asked.reason !== reason);
      const allowed = outcomeOf(present, asked);
      expect(allowed.rules).toEqual(differs ? ['update_protection'] : []);
      expect(outcomeOf(present, asked, false).refusal).toBe(differs ? 'access_denied' : undefined);
      if (!differs) expect(allowed.after).toBe(present);
    }),
  );
});
