/** The body of a set of changes. It may have thousands of keys, so its changes are checked in turns. */
import { Faults } from '../../domain/shapes/faults.ts';
import {
  choice,
  flag,
  integer,
  isObject,
  list,
  nullable,
  object,
  refined,
  type Shape,
  text,
} from '../../domain/shapes/shape.ts';
import {
  type ChangeOptions,
  type RequestedChange,
  SET_ACTIONS,
  type SetAction,
} from '../../model/changes/change-set.ts';
import { GUARDRAIL_NAMES, type GuardrailName } from '../../model/guardrails/guardrail.ts';
import { descriptionFault } from '../../model/text.ts';
import { readJson, type WholeBodyReader } from '../edge/body.ts';
import { JSON_TYPE } from '../edge/responses.ts';
import { description, name, records, ttl, type } from '../recordset-bodies.ts';
import { itemsInTurns, unreadList } from './long-lists.ts';

/** Keys of one change, and of a set beside its changes; twice as many, so that unknown keys get an error of their own. */
const KEYS_OF_A_CHANGE = 12;
const KEYS_OF_A_SET = 32;
const MAX_SERIAL = 4_294_967_295;
const PLAN = /^sha256:[0-9a-f]{64}$/;

type Member = 'type' | 'ttl' | 'records' | 'description';

interface ActionMembers {
  readonly required: readonly Member[];
  readonly optional: readonly Member[];
}

const MEMBERS: Readonly<Record<SetAction, ActionMembers>> = {
  create: { required: ['type', 'records'], optional: ['ttl', 'description'] },
  replace: { required: ['type'], optional: ['ttl', 'records', 'description'] },
  upsert: { required: ['type', 'records'], optional: ['ttl', 'description'] },
  delete: { required: [], optional: ['type'] },
  add: { required: ['type', 'records'], optional: ['ttl'] },
  remove: { required: ['type', 'records'], optional: [] },
};
const ALL_MEMBERS: readonly Member[] = ['type', 'ttl', 'records', 'description'];

const action = choice(SET_ACTIONS, `The action must be one of: ${SET_ACTIONS.join(', ')}.`);

const change: Shape<RequestedChange> = refined(
  object({ action, name }, { type, ttl, records, description }),
  (value, faults) => {
    const before = faults.count;
    const { required, optional } = MEMBERS[value.action];
    for (const member of ALL_MEMBERS) {
      const isGiven = value[member] !== undefined;
      if (!isGiven && required.includes(member))
        faults.within(member, () => faults.add(`The action "${value.action}" needs this key.`));
      if (isGiven && !required.includes(member) && !optional.includes(member))
        faults.within(member, () =>
          faults.add(`The action "${value.action}" does not take this key. Remove it.`),
        );
    }
    return faults.count === before ? value : undefined;
  },
);

const plan = text((value) => (PLAN.test(value) ? undefined : 'Send the "plan" of a dry run, unchanged.'), {
  examples: [`sha256:${'0'.repeat(64)}`],
});

const guardrail = choice(GUARDRAIL_NAMES, `Use names of guardrails: ${GUARDRAIL_NAMES.join(', ')}.`);

/** Conditions and options of every way of changing several recordsets. */
export const changeOptions = {
  dry_run: flag,
  if_serial: integer({ minimum: 0, maximum: MAX_SERIAL }),
  plan,
  override: list(guardrail),
  max_deletions: integer({ minimum: 0, maximum: 2147483647 }),
  description: nullable(text(descriptionFault, { maxLength: 1024 })),
};

/** Options as sent. */
interface SentOptions {
  readonly dry_run?: boolean | undefined;
  readonly if_serial?: number | undefined;
  readonly plan?: string | undefined;
  readonly override?: readonly GuardrailName[] | undefined;
  readonly max_deletions?: number | undefined;
  readonly description?: string | null | undefined;
}

/** Converts options from wire format. */
export function optionsOf(sent: SentOptions): ChangeOptions {
  const { dry_run: dryRun = false, if_serial: ifSerial, max_deletions: maxDeletions } = sent;
  const { plan, description, override: overrides } = sent;
  return { dryRun, ifSerial, plan, maxDeletions, overrides, description };
}

/** A set as the client sent it. */
export interface ChangeSetBody {
  readonly changes: readonly RequestedChange[];
  readonly options: ChangeOptions;
}

/** A set whose changes have not been checked yet. */
export interface ArrivedChangeSet {
  /**
   * Checks the changes, yielding to other requests.
   * @throws DomainError `invalid_object` with all faults
   */
  read(projectId: string): Promise<ChangeSetBody>;
}

function arrivedSet(given: unknown, maxChanges: number): ArrivedChangeSet {
  const faults = new Faults((key) => key);
  const unread = unreadList(maxChanges);
  const head = object({ changes: unread }, changeOptions).read(given, faults);
  const items = isObject(given) ? unread.read(given.changes, new Faults()) : undefined;
  return {
    async read(projectId) {
      const changes = await itemsInTurns(
        { key: 'changes', items: items ?? [], shape: change },
        faults,
        projectId,
      );
      if (head === undefined || faults.count > 0) throw faults.refusal();
      return { changes, options: optionsOf(head) };
    },
  };
}

/** @param maxChanges maximum number of changes in a set */
export function changeSetBody(maxChanges: number): readonly [WholeBodyReader<ArrivedChangeSet>] {
  const { schema } = object({ changes: list(change) }, changeOptions);
  const maxKeys = KEYS_OF_A_SET + KEYS_OF_A_CHANGE * maxChanges;
  const read = (bytes: Buffer | undefined) => arrivedSet(readJson(bytes, maxKeys), maxChanges);
  return [{ mediaType: JSON_TYPE, schema, read }];
}
