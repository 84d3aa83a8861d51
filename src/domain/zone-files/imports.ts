import type { SkippedLines } from '../../dns/zone-file/skipped.ts';
import type { ContentChange, Contents } from '../../model/changes/contents.ts';
import { type CreateOptions, optionsFor } from '../../model/context/options.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { type Limits, limitsOf } from '../../model/quotas/quota.ts';
import type { ZoneTask } from '../../model/tasks/zone-task.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { ManyNames, type ManyNamesDeps } from '../blacklists/many-names.ts';
import { newRecordset } from '../recordsets/new-recordset.ts';
import type { SupportedTypes } from '../recordsets/supported-types.ts';
import { completedTask, keepTask, zoneTaskUseCases } from '../tasks/zone-tasks.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { type ApexSettings, ownTimers } from '../zones/apex.ts';
import { newZoneTarget } from '../zones/creation-rules.ts';
import type { CreatedZone, InitialContents } from '../zones/zone-create-request.ts';
import type { ZoneCreation } from '../zones/zone-creation.ts';
import { requireOutsideChildZones, type ZoneContents } from './zone-contents.ts';
import { type ImportedZoneFile, requireZoneFile, type ZoneFileText } from './zone-file.ts';

export interface Imported extends CreatedZone {
  readonly task: ZoneTask;
}

export interface ImportDeps extends UseCaseDeps {
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  /** In bytes. */
  readonly maxZoneSize: number;
  readonly supportedTypes: SupportedTypes;
  readonly createZone: ZoneCreation;
  readonly apex: ApexSettings;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: ManyNamesDeps | undefined;
}

const RULES = { list: 'find_zone_imports', get: 'get_zone_import', remove: 'delete_zone_import' } as const;

type ReadableZoneFile = Extract<ImportedZoneFile, { kind: 'read' }>;
type RefusedFile = Extract<ImportedZoneFile, { kind: 'refused' }>;

/**
 * The number of skipped records, and their lines; empty if none were skipped.
 * @param which describes the records
 */
function skippedLines({ first, count }: SkippedLines, which: string): readonly string[] {
  if (count === 0) return [];
  const lines = first.map((one) => `line ${one.line} (${one.name})`);
  if (count > first.length) lines.push(`and ${count - first.length} more`);
  const skipped = count === 1 ? `1 record ${which} was` : `${count} records ${which} were`;
  return [`${skipped} skipped: ${lines.join(', ')}`];
}

/** The message of an import: the zone, skipped lines, and adjustments. */
function messageOf({ name }: Zone, { zone: { adjustments }, outside, signed }: ReadableZoneFile): string {
  const adjusted = adjustments === undefined ? [] : [`SOA timers adjusted: ${adjustments}`];
  const skipped = [
    ...skippedLines(outside, 'outside the zone'),
    ...skippedLines(signed, 'of DNSSEC signers'),
  ];
  return [`${name} imported`, ...skipped, ...adjusted].join('; ');
}

export interface ImportOptions {
  /** Attributes of the zone. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** True to refuse records outside the zone and records of DNSSEC signers; by default they are skipped. */
  readonly isStrict?: boolean;
}

/** Adds the line at which the file exceeds the quota to the refusal. */
export function atLine(line: number, error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== 'over_quota') return error;
  const { kind, message, details, hint } = error;
  const { quota } = details;
  if (quota === 'zones') return error;
  const faults = [{ path: ['line', line], message }];
  return new DomainError(kind, `Line ${line}: ${message}`, {
    faults,
    details,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The use cases of imports: creates a zone with its contents from one zone file, or nothing. */
export function importUseCases(deps: ImportDeps) {
  const {
    store,
    clock,
    access,
    unitOfWork,
    createZone,
    apex,
    quotas,
    maxZoneSize,
    supportedTypes,
    ownerNames,
  } = deps;

  function contentsFor(zone: Zone, { recordsets, largest }: ZoneContents): Contents {
    function* parts(): Generator<ContentChange> {
      for (const draft of recordsets.drafts()) {
        yield { kind: 'added', recordset: newRecordset(draft, zone, clock) };
      }
    }
    return { growth: recordsets.totals, largest: { now: largest, before: 0 }, parts: parts(), steps: true };
  }

  /** Returns the check of record names against the blacklists, if it is on. */
  function admissionOf({ recordsets }: ZoneContents): Pick<InitialContents, 'admit'> {
    if (ownerNames === undefined) return {};
    const names = new ManyNames(ownerNames, {
      each: () => recordsets.ownerNames(),
      name: (one) => recordsets.name(one),
      lines: (one) => recordsets.linesOfName(one),
    });
    return { admit: (context) => names.admit(context) };
  }

  async function createFrom(
    context: RequestContext,
    file: ReadableZoneFile,
    options: CreateOptions<Imported>,
  ): Promise<Imported> {
    const { zone: draft, contents } = file;
    let task: ZoneTask | undefined;
    const filling: InitialContents = {
      serial: draft.serial,
      ...admissionOf(contents),
      contents: (zone) => contentsFor(zone, contents),
      require: (tx, zone) => requireOutsideChildZones(tx, zone, contents),
      also(tx, zone) {
        task = completedTask('import', zone, messageOf(zone, file), clock);
        keepTask(tx, task);
      },
    };
    const withTask = (created: CreatedZone): Imported => ({ ...created, task: task! });
    const wanted = { ...draft, soa: ownTimers(draft.soa, apex) };
    return withTask(await createZone(context, wanted, filling, optionsFor(options, withTask)));
  }

  /**
   * Refuses a file that exceeds a quota. Refusals that a create checks earlier, of the name and of another zone, come
   * first.
   */
  async function refuse(context: RequestContext, { line, counts, zone }: RefusedFile): Promise<never> {
    const refusal = async () => {
      counts.refuse();
      throw new Error('A quota ended the reading of a zone file that it allows.');
    };
    const filling = {
      contents: () => ({ ...counts.head, parts: [], steps: true }),
      require: refusal,
      also() {},
    };
    try {
      if (zone === undefined)
        return await unitOfWork.attempt(context, { kind: 'zone', projectId: context.projectId }, refusal);
      await createZone(context, zone, { ...filling, serial: zone.serial });
      return await refusal();
    } catch (error) {
      throw atLine(line, error);
    }
  }

  return {
    ...zoneTaskUseCases(deps, 'import', RULES),

    /** Creates the zone of a zone file by every rule of a create, and stores the task, in one transaction. */
    async create(
      context: RequestContext,
      text: ZoneFileText,
      { attributes = {}, isStrict = false, ...options }: ImportOptions & CreateOptions<Imported> = {},
    ): Promise<Imported> {
      const target = { projectId: context.projectId };
      access.requirePossible(context, 'create_zone_import', target);
      if (attributes.pool_id !== undefined) access.require(context, 'zone_create_forced_pool', target);
      const limits = limitsOf(await store.projects.state(requireProject(context)), quotas);
      const file = await requireZoneFile(
        text,
        { ...limits, max_zone_size: maxZoneSize },
        { isStrict, supportedTypes, projectId: context.projectId },
      );
      if (file.zone !== undefined)
        access.require(context, 'create_zone_import', newZoneTarget(context, file.zone));
      if (file.kind === 'read')
        return createFrom(context, { ...file, zone: { ...file.zone, attributes } }, options);
      return refuse(context, { ...file, zone: file.zone && { ...file.zone, attributes } });
    },
  };
}

export type ImportUseCases = ReturnType<typeof importUseCases>;
