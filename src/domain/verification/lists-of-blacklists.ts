import type {
  Finding,
  StoredHolder,
  StoredList,
  VerificationReads,
} from '../../model/verification/stored.ts';

type ReportListFindings = (findings: readonly Finding[]) => Promise<void>;

function holderFindings({ key, list, blacklistId, hasBlacklist, hasList }: StoredHolder): readonly Finding[] {
  const faults = [
    ...(key === `${list}/${blacklistId}` ? [] : [`The key ${key} does not match what it holds.`]),
    ...(hasBlacklist ? [] : [`It holds the blacklist ${blacklistId}, which does not exist.`]),
    ...(hasList ? [] : [`It holds the blacklist ${blacklistId}, but does not exist itself.`]),
  ];
  return faults.map((fault) => ({ about: 'list of blacklists', id: list, fault }));
}

function listFindings({ name, entries, counted }: StoredList): readonly Finding[] {
  if (entries === counted) return [];
  const fault = `The counter says ${entries} blacklists; it holds ${counted}.`;
  return [{ about: 'list of blacklists', id: name, fault, isCounter: true }];
}

/** Verifies the entries that lists hold, and their counters. */
export async function verifyLists(
  reads: Pick<VerificationReads, 'blacklistHolders' | 'blacklistLists'>,
  tell: ReportListFindings,
): Promise<void> {
  let page = await reads.blacklistHolders(undefined);
  while (page.length > 0) {
    await tell(page.flatMap(holderFindings));
    page = await reads.blacklistHolders(page.at(-1)!);
  }
  await tell((await reads.blacklistLists()).flatMap(listFindings));
}
