import type { ChangeOptions, RequestedChange } from '../../model/changes/change-set.ts';
import type { ConditionalOptions, CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { requireNoConflicts } from './conflicts.ts';
import { type ChangeDeps, changeExecution, type MadeChange } from './execution.ts';
import { intentsOf } from './intents.ts';
import { readChanges } from './read-changes.ts';
import { knownChanges } from './wanted-changes.ts';

function bytesOf(changes: readonly RequestedChange[]): number {
  let bytes = 0;
  for (const { name, records = [] } of changes) {
    bytes += name.length;
    for (const record of records) bytes += record.length;
  }
  return bytes;
}

/** The use cases of sets of changes. */
export function changeSetUseCases(deps: ChangeDeps) {
  const execute = changeExecution(deps);
  return {
    /**
     * Makes all changes of a set, or none.
     * @throws DomainError `invalid_object` if changes conflict, and the refusals of `changeExecution`
     */
    make: (
      context: RequestContext,
      zoneId: string,
      changes: readonly RequestedChange[],
      options: ChangeOptions,
      { precondition, ...createOptions }: ConditionalOptions & CreateOptions<MadeChange> = {},
    ): Promise<MadeChange> =>
      execute(
        context,
        {
          zoneId,
          rule: 'change_recordsets',
          door: 'changes',
          options,
          precondition,
          pathRoot: 'changes',
          async wantedOf(zone) {
            const turns = new TimeSlices(context.projectId);
            const read = await readChanges(changes, zone.name, turns);
            await requireNoConflicts(read, turns);
            return knownChanges(await intentsOf(read, turns), bytesOf(changes));
          },
        },
        createOptions,
      ),
  };
}

export type ChangeSetUseCases = ReturnType<typeof changeSetUseCases>;
