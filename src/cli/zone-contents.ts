/** `zone plan` and `zone apply`: make a zone match a file. */
import type { ContentsAnswer, RefusalAnswer } from '../assembly/api-answers.ts';
import { parseRecordType, type StoredType } from '../dns/record-types.ts';
import type { ContentsOptions } from '../domain/contents/contents.ts';
import type { ChangeOptions } from '../model/changes/change-set.ts';
import { DomainError } from '../model/errors.ts';
import { GUARDRAIL_NAMES, type GuardrailName, isGuardrailName } from '../model/guardrails/guardrail.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import { agreedTo } from './asking.ts';
import type { Commands, Output } from './commands.ts';
import { atService, type ContentsReply, type ContentsSender, inStore } from './contents-senders.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

interface ContentsFlags {
  readonly url?: string;
  readonly keep?: string;
  readonly maxDeletions?: string;
  readonly override?: string;
  readonly description?: string;
  readonly json?: true;
}

interface ZonePlanFlags extends ContentsFlags {
  readonly exitCode?: true;
}

interface ZoneApplyFlags extends ContentsFlags {
  readonly plan?: string;
  readonly yes?: true;
}

type AnsweredEffect = ContentsAnswer['changes'][number];

const COLORS = { '-': '\u001b[31m', '+': '\u001b[32m' } as const;
const PLAIN = '\u001b[0m';

function isColored(): boolean {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined;
}

function keepOf(text: string | undefined): ReadonlySet<StoredType> {
  const types = (text === undefined ? [] : text.split(',')).map((one) => {
    const type = parseRecordType(one);
    if (!type.ok) throw new CommandError(`--keep: ${type.reason}`);
    return type.value;
  });
  return new Set(types);
}

export function maxDeletionsOf(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new CommandError('--max-deletions must be a number, such as 10');
}

function overridesOf(text: string | undefined): readonly GuardrailName[] {
  return (text === undefined ? [] : text.split(',')).map((name) => {
    if (isGuardrailName(name)) return name;
    throw new CommandError(`--override: use names of guardrails: ${GUARDRAIL_NAMES.join(', ')}`);
  });
}

function optionsOf(flags: ContentsFlags): Omit<ContentsOptions, 'dryRun'> {
  const { keep, maxDeletions, override, description } = flags;
  return {
    keep: keepOf(keep),
    maxDeletions: maxDeletionsOf(maxDeletions),
    overrides: overridesOf(override),
    description,
  };
}

function recordLines(
  sign: '-' | '+',
  { name, type }: AnsweredEffect,
  state: AnsweredEffect['before'],
): readonly string[] {
  const [before, after] = isColored() ? [COLORS[sign], PLAIN] : ['', ''];
  const records = state?.records ?? [];
  return records.map(
    (record) => `${before}${sign}${printable(`${name} ${state?.ttl ?? ''} IN ${type} ${record}`)}${after}`,
  );
}

function printEffect(effect: AnsweredEffect, { out, err }: Output): void {
  for (const line of recordLines('-', effect, effect.before)) out(line);
  for (const line of recordLines('+', effect, effect.after)) out(line);
  if (effect.refusal !== null)
    err(printable(`${effect.name} ${effect.type ?? ''}: ${effect.refusal.message}`));
  for (const { message } of effect.warnings) err(printable(message));
}

/** Prints what a change would do, like `diff`. */
function printAnswer(answer: ContentsAnswer, output: Output): void {
  const { out, err } = output;
  const { changes, omitted = 0, summary, plan, refusal, warnings } = answer;
  for (const effect of changes) printEffect(effect, output);
  if (omitted > 0) out(`and ${omitted} more recordsets`);
  const { create, update, delete: deleted, unchanged } = summary;
  out(`${create} to create, ${update} to change, ${deleted} to delete, ${unchanged} unchanged`);
  for (const { message } of warnings) err(printable(message));
  if (refusal !== null) err(printable(refusal.message));
  if (plan !== null) out(`plan: ${plan}`);
}

function printRefusal({ message, errors }: RefusalAnswer, { err }: Output): void {
  for (const line of message.split('\n')) err(printable(line));
  const faults = errors?.errors ?? [];
  if (faults.length > 1)
    for (const fault of faults) err(printable(`${fault.path.join('.')}: ${fault.message}`));
}

/** Prints an answer: JSON as the API has it, or text. */
export function showReply(reply: ContentsReply, { json }: Pick<ContentsFlags, 'json'>, output: Output): void {
  if (json) output.out(printableJson(reply.body));
  else if (reply.isRefused) printRefusal(reply.body, output);
  else printAnswer(reply.body, output);
}

/** Makes a change, or shows with `dryRun` what it would do. */
type PlannedChange = (options: Pick<ChangeOptions, 'dryRun' | 'plan'>) => Promise<ContentsReply>;

/** Shows what a change would do. */
export async function planChange(
  change: PlannedChange,
  flags: Pick<ZonePlanFlags, 'json' | 'exitCode'>,
  output: Output,
): Promise<ExitStatus> {
  const planned = await change({ dryRun: true });
  showReply(planned, flags, output);
  if (planned.isRefused || planned.body.status === 'REFUSED') return EXIT.no;
  return flags.exitCode && planned.body.status === 'PLANNED' ? EXIT.changes : EXIT.done;
}

/** The plan that may be applied: it can be, and the user agrees. */
async function agreedPlan(
  planned: ContentsReply,
  name: string,
  { yes }: Pick<ZoneApplyFlags, 'yes'>,
): Promise<string | undefined> {
  if (planned.isRefused || planned.body.status !== 'PLANNED' || planned.body.plan === null) return undefined;
  return yes || (await agreedTo(`Make these changes to ${name}?`)) ? planned.body.plan : undefined;
}

/** Shows what a change would do, asks, and makes it. */
export async function applyChange(
  change: PlannedChange,
  name: string,
  flags: Pick<ZoneApplyFlags, 'json' | 'plan' | 'yes'>,
  output: Output,
): Promise<ExitStatus> {
  const planned = await change({ plan: flags.plan, dryRun: true });
  // For a program there is one answer, the last one.
  if (!flags.json) showReply(planned, flags, output);
  const plan = await agreedPlan(planned, name, flags);
  if (plan === undefined) {
    if (flags.json) showReply(planned, flags, output);
    return !planned.isRefused && planned.body.status === 'UNCHANGED' ? EXIT.done : EXIT.no;
  }
  const made = await change({ plan, dryRun: false });
  if (flags.json || made.isRefused) showReply(made, flags, output);
  if (made.isRefused) return EXIT.no;
  output.err(`${name} has the serial ${made.body.to_serial}`);
  return EXIT.done;
}

/** Runs work whose refusals are an answer: exit status 1. */
export async function answered(output: Output, work: () => Promise<ExitStatus>): Promise<ExitStatus> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'storage_unavailable') throw error;
    for (const line of error.message.split('\n')) output.err(printable(line));
    return EXIT.no;
  }
}

/** Adds `zone plan` and `zone apply`. */
export function addZoneContentsCommands(
  zone: Commands['program'],
  { output, environment, runOnStore, runAlone }: Commands,
): void {
  const command = (name: string, description: string) =>
    zone
      .command(name)
      .description(description)
      .argument('<name>', 'the zone')
      .argument('<file>', 'a zone file; `-` is standard input')
      .option(
        '--url <url>',
        'the service, asked with the token in ZONEWARDEN_TOKEN (default: the store of this machine)',
      )
      .option('--keep <types>', 'record types to leave alone, such as NS,CAA')
      .option('--max-deletions <count>', 'refuse to delete more recordsets')
      .option('--override <guardrails>', 'guardrails whose refusal passes, such as in_use,mass_deletion')
      .option('--description <text>', 'why, for the event')
      .option('--json', 'print the answer of the API');
  const on = (
    name: string,
    file: string,
    flags: ContentsFlags,
    work: (change: PlannedChange) => Promise<ExitStatus>,
  ): Promise<void> => {
    const { url } = flags;
    const what = { name, file };
    const changeAt =
      (replace: ContentsSender): PlannedChange =>
      (options) =>
        replace({ ...optionsOf(flags), ...options });
    if (url === undefined)
      return runOnStore((session, config) => work(changeAt(inStore(session, config, what))));
    return runAlone(() => work(changeAt(atService(url, environment.ZONEWARDEN_TOKEN, what))));
  };
  command('plan', 'show what would make a zone match a file; exit 1 if that would be refused')
    .option('--exit-code', 'exit 3 if there are differences')
    .action((name: string, file: string, flags: ZonePlanFlags) =>
      on(name, file, flags, (change) => planChange(change, flags, output)),
    );
  command('apply', 'make a zone match a file; exit 1 if that is refused')
    .option('--plan <digest>', 'make exactly the changes that "zone plan" showed')
    .option('--yes', 'do not ask')
    .action((name: string, file: string, flags: ZoneApplyFlags) =>
      on(name, file, flags, (change) => applyChange(change, name, flags, output)),
    );
}
