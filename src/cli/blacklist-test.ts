import type { CommandSession } from '../assembly/session.ts';
import { parseListedName } from '../dns/names.ts';
import type { MatchingEntry, PredictedResult } from '../domain/blacklists/name-tests.ts';
import type { Blacklist, BlacklistException } from '../model/blacklists/blacklist.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { printable } from '../runtime/printable.ts';
import type { Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

export interface TestFlags {
  readonly project?: string;
}

const PROSPECTS: Readonly<Record<PredictedResult, string>> = {
  refused: 'would be refused',
  undecided: 'would be refused: the name cannot be checked within the step budget',
  warned: 'would succeed with a warning and an event',
  noted: 'would succeed with an event',
  free: 'would succeed',
};

function exceptionText({ projectId, name }: BlacklistException): string {
  const about = [
    projectId === null ? [] : [`project ${projectId}`],
    name === null ? [] : [`name ${name}`],
  ].flat();
  return `allowed by the exception for ${about.join(' and ')}`;
}

/** Remarks about an entry: terms that differ from the default, and why it does not apply. */
function remarksOn({ blacklist, passedOver }: MatchingEntry): readonly string[] {
  const { mode, expiresAt, exceptions } = blacklist;
  const remarks = [
    mode === 'enforce' ? undefined : `mode ${mode}`,
    expiresAt === null ? undefined : `expires ${expiresAt}`,
    exceptions.length === 0 ? undefined : `exceptions ${exceptions.length}`,
  ].filter((remark) => remark !== undefined);
  if (passedOver === undefined) return remarks;
  return [...remarks, passedOver === 'expired' ? 'expired' : exceptionText(passedOver)];
}

function lineOf(entry: MatchingEntry): string {
  const { id, pattern } = entry.blacklist;
  const remarks = remarksOn(entry);
  return printable(remarks.length === 0 ? `${id} ${pattern}` : `${id} ${pattern} (${remarks.join(', ')})`);
}

function undecidedLine({ id, pattern }: Blacklist): string {
  return printable(`undecided: ${id} ${pattern}`);
}

/**
 * Prints every pattern that matches a name, with its id, and those that could not be decided. If an entry has
 * remarks, also prints to standard error what would happen to a create.
 */
export async function testName(
  { context, useCases }: CommandSession,
  text: string,
  { project = context.projectId }: TestFlags,
  { out, err }: Output,
): Promise<ExitStatus> {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw new CommandError(parsed.reason);
  if (!isProjectId(project)) throw new CommandError(`--project: ${PROJECT_ID_RULE}`);
  const test = await useCases.nameTests.run({ ...context, projectId: project }, parsed.value);
  const { matches, undecided, prospect } = test;
  for (const entry of matches) out(lineOf(entry));
  for (const entry of undecided) err(undecidedLine(entry));
  if (matches.some((entry) => remarksOn(entry).length > 0))
    err(`creating ${parsed.value} ${PROSPECTS[prospect]}`);
  if (matches.length > 0) return EXIT.no;
  if (undecided.length === 0) return EXIT.done;
  throw new CommandError(
    `${parsed.value} cannot be checked against ${undecided.length} of the patterns within the step budget, so no zone with that name can be created.`,
  );
}
