import { closeSync, openSync, writeSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { CommandSession } from '../assembly/session.ts';
import { fixedToken, keystoneToken, type OpenStackEnvironment } from '../designate/credentials.ts';
import type { DesignateSettings, TokenSource } from '../designate/settings.ts';
import type { Designate } from '../designate/source.ts';
import {
  type AdoptedThing,
  type AdoptionOutcome,
  isSettled,
  type OutcomeKind,
} from '../domain/adoption/outcome.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { printable, printableJson } from '../runtime/printable.ts';
import type { Commands, Output } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { progressBar } from './progress.ts';
import { readFile } from './read-file.ts';

interface Flags {
  readonly from: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly project: readonly string[];
  readonly update?: true;
  readonly dryRun?: true;
  readonly report?: string;
  readonly parallel: number;
  readonly pageSize: number;
  readonly timeout: number;
  readonly retries: number;
}

const FIRST_PAUSE_MS = 500;

/** Parses a whole number in a range. */
const whole =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`Must be a whole number from ${minimum} to ${maximum}.`);
  };

function project(text: string, others: readonly string[]): readonly string[] {
  if (!isProjectId(text)) throw new InvalidArgumentError(PROJECT_ID_RULE);
  return [...others, text];
}

function url(text: string): string {
  const given = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = given && `${given.username}${given.password}${given.search}${given.hash}` === '';
  if (isPlain && /^https?:$/.test(given.protocol)) return text;
  throw new InvalidArgumentError('Must be the URL of the Designate API, such as http://controller:9001.');
}

/** @throws CommandError if the token cannot be sent in a header */
function givenToken(text: string): TokenSource {
  if (/^[\x21-\x7e]{1,32768}$/.test(text)) return fixedToken(text);
  throw new CommandError('The token is empty, too long or contains invalid characters. Use another one.');
}

function settingsOf(flags: Flags, environment: OpenStackEnvironment): DesignateSettings {
  const { OS_CACERT: ca, OS_INSECURE: insecure } = environment;
  return {
    url: flags.from,
    timeoutMs: flags.timeout * 1000,
    retries: flags.retries,
    firstPauseMs: FIRST_PAUSE_MS,
    pageSize: flags.pageSize,
    ca: ca === undefined || ca === '' ? undefined : readFile(ca),
    isInsecure: /^(1|true|yes)$/i.test(insecure ?? ''),
  };
}

function tokenOf(flags: Flags, environment: OpenStackEnvironment, settings: DesignateSettings): TokenSource {
  const { token = environment.OS_TOKEN, tokenFile } = flags;
  if (tokenFile !== undefined) return givenToken(readFile(tokenFile).toString('utf8').trim());
  return token === undefined || token === '' ? keystoneToken(environment, settings) : givenToken(token);
}

interface Report {
  tell(step: string, outcome: AdoptionOutcome): void;
  close(): void;
}

/** Writes one JSON object per line for each resource, as results arrive. */
function reportTo(file: string | undefined): Report {
  if (file === undefined) return { tell() {}, close() {} };
  try {
    const descriptor = openSync(file, 'w', 0o600);
    return {
      tell: (step, outcome) => void writeSync(descriptor, `${printableJson({ step, ...outcome })}\n`),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    throw new CommandError(`The file ${file} cannot be written: ${(error as Error).message}.`);
  }
}

function lineOf({ thing, id, name, outcome, reason }: AdoptionOutcome): string {
  const about = [thing, name, id === null ? undefined : `(${id})`].filter((part) => part != null).join(' ');
  return printable(`${outcome}: ${about}${reason === undefined ? '' : `: ${reason}`}`);
}

/** Counts the outcomes of each kind of resource. */
class OutcomeCounts {
  readonly #counts = new Map<AdoptedThing, Map<OutcomeKind, number>>();
  unsettled = 0;

  add(one: AdoptionOutcome): void {
    const { thing, outcome } = one;
    const ofThing = this.#counts.get(thing) ?? new Map<OutcomeKind, number>();
    ofThing.set(outcome, (ofThing.get(outcome) ?? 0) + 1);
    this.#counts.set(thing, ofThing);
    if (!isSettled(one)) this.unsettled += 1;
  }

  lines(step: string): readonly string[] {
    return [...this.#counts].map(([thing, counts]) => {
      const amounts = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
      return `${step} ${thing}: ${amounts.join(', ')}`;
    });
  }
}

/** Follows the outcomes of a step; prints those that are not settled or have a reason, and a summary. */
async function follow(
  step: string,
  outcomes: AsyncIterable<AdoptionOutcome>,
  total: number | undefined,
  report: Report,
  { out, err }: Output,
): Promise<OutcomeCounts> {
  const counts = new OutcomeCounts();
  const bar = progressBar(step, total ?? 0);
  let zones = 0;
  try {
    for await (const outcome of outcomes) {
      counts.add(outcome);
      report.tell(step, outcome);
      if (!isSettled(outcome) || outcome.reason !== undefined) err(lineOf(outcome));
      if (outcome.thing === 'zone' || outcome.thing === 'secondary zone') bar.update(++zones);
    }
  } finally {
    bar.stop();
    for (const line of counts.lines(step)) out(line);
  }
  return counts;
}

async function importFrom(
  source: Designate,
  { context, useCases: { adoptions } }: CommandSession,
  flags: Flags,
  report: Report,
  output: Output,
): Promise<ExitStatus> {
  const options = { atOnce: flags.parallel, projects: flags.project };
  const total = await source.countZones();
  if (flags.dryRun) {
    const outcomes = adoptions.run(context, source, { ...options, mode: 'look' });
    const { unsettled } = await follow('found', outcomes, total, report, output);
    return unsettled === 0 ? EXIT.done : EXIT.no;
  }
  const mode = flags.update ? 'update' : 'take';
  const taken = await follow(
    'imported',
    adoptions.run(context, source, { ...options, mode }),
    total,
    report,
    output,
  );
  const compared = await follow(
    'compared',
    adoptions.compare(context, source, options),
    total,
    report,
    output,
  );
  return taken.unsettled + compared.unsettled === 0 ? EXIT.done : EXIT.no;
}

/** `import-designate`. */
export function addImportDesignateCommand({ program, output, environment, runOnStore }: Commands): void {
  program
    .command('import-designate')
    .description(
      'migrate from Designate over its API and verify; exit 0 if everything matches, 1 with a list of differences',
    )
    .requiredOption('--from <url>', 'the URL of the Designate API', url)
    .option(
      '--token <token>',
      "an administrator's token (default: log in with OS_AUTH_URL and the other OS_ variables)",
    )
    .option('--token-file <file>', 'a file with the token, or - for standard input')
    .option(
      '--project <id>',
      'also migrate the quotas of a project without zones; may be repeated',
      project,
      [],
    )
    .option('--update', 'also update existing resources to match Designate')
    .option('--dry-run', 'change nothing; show missing and different resources')
    .option('--report <file>', 'write the outcome of each resource, one JSON object per line')
    .option('--parallel <count>', 'zones read in parallel', whole(1, 64), 4)
    .option('--page-size <count>', 'entries per page', whole(1, 1000), 500)
    .option('--timeout <seconds>', 'time limit of one request', whole(1, 3600), 60)
    .option('--retries <count>', 'retries per request, with backoff', whole(0, 20), 6)
    .action((flags: Flags) =>
      runOnStore(async (session) => {
        const settings = settingsOf(flags, environment);
        const { designateAt } = await import('../designate/source.ts');
        const source = designateAt(settings, tokenOf(flags, environment, settings));
        const report = reportTo(flags.report);
        return importFrom(source, session, flags, report, output).finally(() => {
          report.close();
          source.close();
        });
      }),
    );
}
