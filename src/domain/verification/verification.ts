import type { AddressRule } from '../../addresses/address-rule.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { EventKeys } from '../../model/events/event-key.ts';
import { refusedMasters } from '../../model/secondaries/master-address.ts';
import {
  type Finding,
  faultsOf,
  type StoredProject,
  type StoredRecordset,
  type StoredZone,
  type VerificationReads,
} from '../../model/verification/stored.ts';
import type { ApexSettings } from '../zones/apex.ts';
import { verifyDeletedZones } from './deleted-zones.ts';
import { verifyEvents } from './events.ts';
import { verifyHistories } from './histories.ts';
import { verifyKeys } from './keys-of-pools.ts';
import { verifyLists } from './lists-of-blacklists.ts';
import { type OtherTableSources, verifyOtherTables } from './other-tables.ts';
import { paged } from './pages.ts';
import { BLACKLIST_CHECKS, PROJECT_CHECKS } from './rules.ts';
import { recordsetFindings, ZoneVerification } from './zone-verification.ts';

export interface StoreVerification {
  readonly reads: VerificationReads;
  readonly apex: ApexSettings;
  readonly language: Pick<PatternLanguage, 'fault'>;
  readonly keys: Pick<EventKeys, 'find'>;
  /** Applies to the masters of secondary zones. */
  readonly maySendTo: AddressRule;
  /** True if the policy lets projects create zones below those of others. */
  readonly mayBelowOthers: boolean;
  /** The hash of an earlier head of the event chain, which must be in the chain. */
  readonly pastHead?: string | undefined;
  /** Awaited, so that findings do not pile up. */
  report(finding: Finding): Promise<void>;
}

/** The number of entries verified. */
export interface Verified extends OtherTableSources {
  readonly zones: number;
  readonly recordsets: number;
  readonly projects: number;
  readonly blacklists: number;
  readonly changes: number;
  readonly events: number;
}

/** The result of a verification. */
export interface VerifiedStore {
  readonly verified: Verified;
  /** Number of events whose keys are not available, by key id. */
  readonly unproven: ReadonlyMap<string, number>;
}

type Take<R> = (stored: StoredRecordset) => R;

/** A cursor with the next entry in `head`. */
async function cursorOver<T>(entries: AsyncGenerator<T, undefined>) {
  let head = (await entries.next()).value;
  return {
    get head() {
      return head;
    },
    async advance(): Promise<void> {
      head = (await entries.next()).value;
    },
  };
}

function orphanFindings(stored: StoredRecordset): readonly Finding[] {
  const { id, name, type } = stored.recordset;
  const fault = 'Its zone does not exist.';
  return [...recordsetFindings(stored), { about: 'recordset', id, name: `${name} ${type}`, fault }];
}

function masterFindings({ zone }: StoredZone, rule: AddressRule): readonly Finding[] {
  const fault = refusedMasters(zone.masters, rule);
  if (fault === undefined || zone.action === 'DELETE') return [];
  return [{ about: 'zone', id: zone.id, name: zone.name, fault, isNotice: true }];
}

function isBelow(name: string, above: string): boolean {
  return name.endsWith(`.${above}`);
}

function projectFindings(stored: StoredProject): readonly Finding[] {
  const { projectId: id, state, counted } = stored;
  const { zones, recordsets } = state ?? { zones: 0, recordsets: 0 };
  const faults = faultsOf(stored, PROJECT_CHECKS).map((fault): Finding => ({ about: 'project', id, fault }));
  if (state !== undefined && zones === counted.zones && recordsets === counted.recordsets) return faults;
  const fault = `The counters say ${zones} zones and ${recordsets} recordsets; there are ${counted.zones} and ${counted.recordsets}.`;
  return [...faults, { about: 'project', id, fault, isCounter: true }];
}

/**
 * Verifies everything stored: every rule for zones, recordsets, projects, blacklists, transfers, task records, tokens
 * and idempotency answers, every counter, and every event. Its memory use does not grow with the store.
 */
export async function verifyStore(order: StoreVerification): Promise<VerifiedStore> {
  const { reads, apex, language, report, keys, maySendTo, mayBelowOthers, pastHead } = order;
  const tell = async (findings: readonly Finding[]): Promise<void> => {
    for (const finding of findings) await report(finding);
  };

  /** Reads zones and recordsets in parallel: both are sorted by zone id. */
  async function verifyZones(): Promise<{ zones: number; recordsets: number }> {
    const total = { zones: 0, recordsets: 0 };
    const contents = await cursorOver(paged(reads.recordsets));
    const takeWhile = async (isNext: Take<boolean>, findings: Take<readonly Finding[]>): Promise<void> => {
      while (contents.head !== undefined && isNext(contents.head)) {
        await tell(findings(contents.head));
        total.recordsets += 1;
        await contents.advance();
      }
    };
    for await (const stored of paged(reads.zones)) {
      const { id } = stored.zone;
      const zone = new ZoneVerification(stored, apex);
      await takeWhile(({ recordset }) => recordset.zoneId < id, orphanFindings);
      await takeWhile(
        ({ recordset }) => recordset.zoneId === id,
        (recordset) => zone.add(recordset),
      );
      await tell([...zone.finish(), ...masterFindings(stored, maySendTo)]);
      total.zones += 1;
    }
    await takeWhile(() => true, orphanFindings);
    return total;
  }

  /** Verifies that no zone lies below one of another project. */
  async function verifyTree(): Promise<void> {
    const above: { name: string; projectId: string }[] = [];
    for await (const zone of paged(reads.zonesInTreeOrder)) {
      const { id, name, projectId } = zone;
      while (above.length > 0 && !isBelow(name, above.at(-1)?.name ?? '')) above.pop();
      const foreign = above.find((one) => one.projectId !== projectId);
      if (foreign !== undefined) {
        const fault = `It lies below ${foreign.name}, which belongs to the project ${foreign.projectId}.`;
        await tell([{ about: 'zone', id, name, fault }]);
      }
      above.push(zone);
    }
  }

  async function verifyProjects(): Promise<number> {
    let projects = 0;
    for await (const stored of paged(reads.projects)) {
      await tell(projectFindings(stored));
      projects += 1;
    }
    return projects;
  }

  async function verifyBlacklists(): Promise<number> {
    let blacklists = 0;
    const revision = await reads.revision();
    for await (const stored of paged(reads.blacklists)) {
      const { id, pattern } = stored.blacklist;
      const compile = language.fault(pattern);
      const faults = [
        ...faultsOf(stored, BLACKLIST_CHECKS),
        ...(compile === undefined ? [] : [`The pattern cannot be compiled. ${compile}`]),
        ...(stored.number <= revision
          ? []
          : [`The number ${stored.number} is greater than the revision ${revision}.`]),
      ];
      await tell(faults.map((fault) => ({ about: 'blacklist', id, fault })));
      blacklists += 1;
    }
    return blacklists;
  }

  const contents = await verifyZones();
  if (!mayBelowOthers) await verifyTree();
  const projects = await verifyProjects();
  const blacklists = await verifyBlacklists();
  await verifyLists(reads, tell);
  await verifyKeys(reads, tell);
  await verifyDeletedZones(reads, report);
  const beside = await verifyOtherTables(reads, report);
  const changes = await verifyHistories(reads, tell);
  const { events, unproven } = await verifyEvents({ reads, keys, pastHead, report });
  return { verified: { ...contents, projects, blacklists, ...beside, changes, events }, unproven };
}
