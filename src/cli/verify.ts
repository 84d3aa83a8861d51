import type { CommandSession } from '../assembly/session.ts';
import type { Finding } from '../model/verification/stored.ts';
import { printable } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

function lineOf({ about, id, name, fault, isNotice }: Finding): string {
  const prefix = isNotice === true ? 'notice: ' : '';
  return printable(`${prefix}${about} ${id}${name === undefined ? '' : ` (${name})`}: ${fault}`);
}

const HASH = /^[0-9a-f]{64}$/i;

interface VerifyFlags {
  readonly repair?: boolean;
  readonly head?: string;
}

/**
 * Validates and normalizes the hash of a head, as logged.
 * @throws CommandError if it is not 64 hexadecimal digits
 */
function pastHeadOf(head: string | undefined): string | undefined {
  if (head === undefined || HASH.test(head)) return head?.toLowerCase();
  throw new CommandError(
    `--head: "${head}" is not a hash. Use that of an earlier head from the log: 64 hexadecimal digits.`,
  );
}

/** Recounts everything and checks the invariants of the store; prints one line per fault. */
async function verify(
  { context, useCases }: CommandSession,
  { repair: repairs = false, head }: VerifyFlags,
  { out, err }: Output,
): Promise<ExitStatus> {
  const report = (finding: Finding, isRepaired: boolean): void =>
    out(`${isRepaired ? 'repaired: ' : ''}${lineOf(finding)}`);
  const order = { repairs, pastHead: pastHeadOf(head), report };
  const { verified, unproven, faults, repaired } = await useCases.verifications.verify(context, order);
  for (const [key, events] of unproven) {
    err(printable(`${events} events could not be verified: their key ${key} is missing`));
  }
  const amounts = Object.entries(verified).map(([what, amount]) => `${amount} ${what}`);
  out(
    `verified ${amounts.join(', ') || 'nothing else'}: ${faults} faults${repairs ? `, ${repaired} repaired` : ''}`,
  );
  return faults === repaired ? EXIT.done : EXIT.no;
}

/** `verify`. */
export function addVerifyCommand({ program, output, runOnStore }: Commands): void {
  program
    .command('verify')
    .description('recount and check the whole store; exit 0 without faults, 1 with a list of faults')
    .option(
      '--repair',
      'fix wrong counters, the index of zone names, and names in the format of earlier versions',
    )
    .option('--head <hash>', 'verify that the events still include this logged head')
    .action((options: VerifyFlags) => runOnStore((session) => verify(session, options, output)));
}
