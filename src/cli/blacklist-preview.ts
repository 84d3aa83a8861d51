import type { CommandSession } from '../assembly/session.ts';
import type { PreviewDraft } from '../domain/previews/previews.ts';
import { NOTHING_SEEN } from '../domain/previews/zone-scan.ts';
import type { Preview, PreviewProgress, PreviewZone } from '../model/previews/preview.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';

export interface PreviewFlags {
  readonly id?: string;
  readonly json?: boolean;
}

function draftOf(pattern: string | undefined, id: string | undefined): PreviewDraft {
  if (pattern !== undefined && id === undefined) return { pattern };
  if (pattern === undefined && id !== undefined) return { blacklistId: id.toLowerCase() };
  throw new CommandError('Give a pattern, or the id of an entry with --id.');
}

function lineOf({ name, projectId, isUndecided }: PreviewZone): string {
  return [name, projectId, ...(isUndecided ? ['undecided'] : [])].map(printable).join('\t');
}

function jsonOf({ id, name, projectId, isUndecided }: PreviewZone): string {
  return printableJson({ id, name, project_id: projectId, undecided: isUndecided });
}

function warningLine({ code, message }: Preview['warnings'][number]): string {
  return printable(`warning: ${code}: ${message}`);
}

function summaryOf({ seen, matched, undecided }: PreviewProgress): string {
  return `${matched} of ${seen} zones match, ${undecided} could not be decided`;
}

/**
 * Prints the existing zones that a pattern matches, with their projects. Exits with 0 if there are none, 1 otherwise.
 */
export async function previewPattern(
  { context, useCases }: CommandSession,
  pattern: string | undefined,
  { id, json = false }: PreviewFlags,
  { out, err }: Output,
): Promise<ExitStatus> {
  const toLine = json ? jsonOf : lineOf;
  const { signal } = new AbortController();
  const { warnings, steps } = await useCases.previews.run(context, draftOf(pattern, id), signal);
  for (const line of warnings.map(warningLine)) err(line);
  let last = NOTHING_SEEN;
  for await (const { progress, found } of steps) {
    if (found.length > 0) out(found.map(toLine).join('\n'));
    last = progress;
  }
  err(summaryOf(last));
  return last.matched + last.undecided > 0 ? EXIT.no : EXIT.done;
}
