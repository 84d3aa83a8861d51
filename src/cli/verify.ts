import type { Finding } from '../domain/verification/stored.ts';
import type { Session } from '../session.ts';
import type { Commands, Output } from './commands.ts';
import { EXIT, type ExitStatus } from './errors.ts';
import { printable } from './printing.ts';

function lineOf({ about, id, name, fault }: Finding): string {
  return printable(`${about} ${id}${name === undefined ? '' : ` (${name})`}: ${fault}`);
}

/**
 * Recounts everything and checks whatever is always true of the store; prints each fault on one line.
 * @param repairs corrects counters, and nothing else
 */
async function verify({ act, useCases }: Session, repairs: boolean, { out }: Output): Promise<ExitStatus> {
  const report = (finding: Finding, isRepaired: boolean): void =>
    out(`${isRepaired ? 'repaired: ' : ''}${lineOf(finding)}`);
  const { verified, faults, repaired } = await useCases.verifications.verify(act, { repairs, report });
  const amounts = Object.entries(verified).map(([what, amount]) => `${amount} ${what}`);
  out(`verified ${amounts.join(', ')}: ${faults} faults${repairs ? `, ${repaired} repaired` : ''}`);
  return faults === repaired ? EXIT.done : EXIT.no;
}

/** `verify`. */
export function addVerifyCommand({ program, output, runOnStore }: Commands): void {
  program
    .command('verify')
    .description('recount and check the whole store; exit 0 without faults, 1 with a list of faults')
    .option('--repair', 'correct wrong counters, and nothing else')
    .action(({ repair = false }: { repair?: boolean }) =>
      runOnStore((session) => verify(session, repair, output)),
    );
}
