import type { Store } from '../domain/store.ts';
import type { Finding } from '../domain/verification/stored.ts';
import { verifyStore } from '../domain/verification/verification.ts';
import type { ApexSettings } from '../domain/zones/apex.ts';
import { patternLanguage } from '../matcher/language.ts';
import type { Output } from './blacklist.ts';
import { EXIT, type ExitStatus } from './errors.ts';

async function repair(store: Store, { about, id }: Finding): Promise<void> {
  await store.transaction(({ counters }) =>
    about === 'zone' ? counters.recountZone(id) : counters.recountProject(id),
  );
}

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
  store: Store,
  apex: ApexSettings,
  repairs: boolean,
  { out }: Output,
): Promise<ExitStatus> {
  let faults = 0;
  let repaired = 0;
  const report = async (finding: Finding): Promise<void> => {
    faults += 1;
    if (!(repairs && finding.isCounter)) return out(lineOf(finding));
    await repair(store, finding);
    repaired += 1;
    out(`repaired: ${lineOf(finding)}`);
  };
  const verified = await store.snapshot((reads) =>
    verifyStore({ reads, apex, language: patternLanguage, report }),
  );
  const amounts = Object.entries(verified).map(([what, amount]) => `${amount} ${what}`);
  out(`verified ${amounts.join(', ')}: ${faults} faults${repairs ? `, ${repaired} repaired` : ''}`);
  return faults === repaired ? EXIT.done : EXIT.no;
}
