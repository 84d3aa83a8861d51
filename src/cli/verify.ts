import type { Act } from '../domain/acts/act.ts';
import type { Finding } from '../domain/verification/stored.ts';
import type { VerificationUseCases } from '../domain/verification/verifications.ts';
import type { Output } from './blacklist.ts';
import { EXIT, type ExitStatus } from './errors.ts';

/** The text on one line, whatever a damaged store may hold. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function lineOf({ about, id, name, fault }: Finding): string {
  return oneLine(`${about} ${id}${name === undefined ? '' : ` (${name})`}: ${fault}`);
}

/**
 * `verify`: recounts everything and checks whatever is always true of the store; prints each fault on one line.
 * @param repairs corrects counters, and nothing else
 */
export async function verify(
  act: Act,
  verifications: VerificationUseCases,
  repairs: boolean,
  { out }: Output,
): Promise<ExitStatus> {
  const report = (finding: Finding, isRepaired: boolean): void =>
    out(`${isRepaired ? 'repaired: ' : ''}${lineOf(finding)}`);
  const { verified, faults, repaired } = await verifications.verify(act, { repairs, report });
  const amounts = Object.entries(verified).map(([what, amount]) => `${amount} ${what}`);
  out(`verified ${amounts.join(', ')}: ${faults} faults${repairs ? `, ${repaired} repaired` : ''}`);
  return faults === repaired ? EXIT.done : EXIT.no;
}
