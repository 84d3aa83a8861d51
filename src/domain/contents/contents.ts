import type { StoredType } from '../../dns/record-types.ts';
import type { ChangeOptions } from '../../model/changes/change-set.ts';
import type { ConditionalOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { limitsOf } from '../../model/quotas/quota.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ChangeDeps, changeExecution, type MadeChange } from '../changes/execution.ts';
import type { WantedChanges } from '../changes/wanted-changes.ts';
import { inFile, zoneFileText } from '../zone-files/zone-file-text.ts';
import { zoneStates } from '../zone-files/zone-states.ts';
import { differences } from './difference.ts';
import { listed, listText } from './list-text.ts';
import { readRecordsetList } from './recordset-list.ts';
import type { GivenContents, WantedContents } from './wanted-contents.ts';
import { readZoneFileContents } from './zone-file-contents.ts';

export interface ContentsDeps extends ChangeDeps {
  /** In bytes. */
  readonly maxZoneSize: number;
}

export interface ContentsOptions extends ChangeOptions, ConditionalOptions {
  /** Types that are left alone. */
  readonly keep: ReadonlySet<StoredType>;
}

export interface ReplacedContents extends MadeChange {
  /** Number of given records that are left alone: those that the service manages, and those outside the zone. */
  readonly ignored: number;
}

function changesTo(wanted: WantedContents, keep: ReadonlySet<StoredType>, zone: Zone): WantedChanges {
  const { recordsets } = wanted;
  const rows = zone.recordsets + recordsets.size;
  return {
    bytes: recordsets.totals.bytes,
    recordsets: rows,
    rows,
    *names() {
      for (const one of recordsets.all()) yield recordsets.name(one);
    },
    intentsIn: (reads, present, turns) => differences({ wanted, keep, zone: present }, reads, turns),
  };
}

/** The use cases of the contents of a zone as a whole. */
export function contentsUseCases(deps: ContentsDeps) {
  const { store, quotas, maxZoneSize } = deps;
  const execute = changeExecution(deps);
  const states = zoneStates(deps);

  async function read(
    { projectId }: RequestContext,
    given: GivenContents,
    { keep, dryRun: isDryRun }: Pick<ContentsOptions, 'keep' | 'dryRun'>,
    zone: Zone,
  ): Promise<WantedContents> {
    const target = { zone, keep, projectId };
    if (given.kind === 'recordsets') return readRecordsetList(given.recordsets, target);
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    const bounds = { ...limits, max_zone_size: maxZoneSize };
    return readZoneFileContents(given.text, target, bounds, { present: zone, isDryRun });
  }

  return {
    /**
     * Streams the contents of a zone as a zone file, or as JSON: one consistent state, despite concurrent changes.
     * @throws DomainError `over_quota` if the zone is too large to export
     */
    async show(
      context: RequestContext,
      zoneId: string,
      form: 'text' | 'json',
    ): Promise<AsyncIterable<string>> {
      const { projectId } = context;
      if (form === 'text') return zoneFileText(await states.read(context, zoneId, inFile), projectId);
      return listText(await states.read(context, zoneId, listed), projectId);
    },

    /**
     * Changes a zone so that it has the given contents.
     * @throws DomainError the faults of the contents, and the refusals of `changeExecution`
     */
    async replace(
      context: RequestContext,
      zoneId: string,
      given: GivenContents,
      { keep, precondition, ...options }: ContentsOptions,
    ): Promise<ReplacedContents> {
      let ignored = 0;
      const made = await execute(context, {
        zoneId,
        rule: 'replace_zone_contents',
        door: 'contents',
        pathRoot: given.kind === 'text' ? 'line' : 'recordsets',
        options,
        precondition,
        async wantedOf(zone) {
          const wanted = await read(context, given, { keep, dryRun: options.dryRun }, zone);
          ignored = wanted.ignored;
          return changesTo(wanted, keep, zone);
        },
      });
      return { ...made, ignored };
    },
  };
}

export type ContentsUseCases = ReturnType<typeof contentsUseCases>;
