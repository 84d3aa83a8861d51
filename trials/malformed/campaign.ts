/** Sends malformed requests to a service and looks at everything that comes back. */
import { Random } from '../../test/support/random.ts';
import type { RawAnswer } from './answers.ts';
import { prepareFixture, type Service } from './fixture.ts';
import { type Malformed, malformedRequest } from './generator.ts';
import type { Fixture } from './operations.ts';
import { type Outcome, Sender } from './sender.ts';

export interface Tally {
  /** How often each status was answered; `none` where the client was gone. */
  readonly statuses: Map<string, number>;
  readonly kinds: Map<string, number>;
  readonly faults: string[];
}

/** So many requests refer to the same things, which are then made anew. */
const PER_FIXTURE = 2000;
const REQUEST_ID = /^req-[0-9a-f-]{36}$/;
/** What no answer may tell of: stacks, queries, paths of the server. */
const INSIDE = /node_modules|\.[jt]s:\d+|\n\s+at |select .+ from |SQLITE_|insert into/i;

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is to be true of every refusal. */
const RULES: Readonly<Record<string, (json: Record<string, unknown>, answer: RawAnswer) => boolean>> = {
  'the code is the status': ({ code }, { status }) => code === status,
  'there is a type': ({ type }) => /^[a-z_]+$/.test(String(type)),
  'there is a message': ({ message }) => typeof message === 'string' && message.trim() !== '',
  'there is a request id': ({ request_id }) => REQUEST_ID.test(String(request_id)),
  'the header has the same': ({ request_id }, { headers }) =>
    request_id === headers['x-openstack-request-id'],
  'there is nothing else': ({ code, type, message, request_id, errors, ...others }) =>
    Object.keys(others).length === 0,
  'a 405 has Allow': (_, { status, headers }) => status !== 405 || headers.allow !== undefined,
  'a 401 says what is wanted': (_, { status, headers }) =>
    status !== 401 ||
    /^Bearer( error="(invalid_token|insufficient_scope)".*)?$/.test(String(headers['www-authenticate'])),
};

/**
 * Whether a refusal says that the slots of the project for exports are taken: more requests than slots are under way at
 * a time.
 */
export function isForLackOfSlots(status: unknown, text: unknown): boolean {
  return status === 503 && String(text).includes('Other exports are being sent.');
}

/** What is wrong with a refusal, or undefined. */
function refusalFault(answer: RawAnswer): string | undefined {
  const { status, headers, body } = answer;
  const mayRetry = isForLackOfSlots(status, body) && headers['retry-after'] !== undefined;
  if (status >= 500 && !mayRetry) return 'the service failed';
  const json = parsed(body);
  if (json === undefined) return 'no JSON';
  const broken = Object.entries(RULES).find(([, holds]) => !holds(json, answer));
  return broken && `not true that ${broken[0]}`;
}

/** What is wrong with an answer, or undefined. */
function answerFault(answer: RawAnswer): string | undefined {
  const { status, headers, body } = answer;
  const type = headers['content-type'] ?? '';
  if (headers['x-injected'] !== undefined) return 'a header that the client wrote';
  if (INSIDE.test(body)) return 'tells of the inside';
  if (body === '' || (status < 300 && type === 'text/dns')) return undefined;
  if (!/^application\/json\b/.test(type)) return `of type "${type}"`;
  if (status >= 400) return refusalFault(answer);
  return parsed(body) === undefined ? 'no JSON' : undefined;
}

/** What is wrong with the one refusal that was to come, or undefined. */
function wrongRefusal({ refusal }: Malformed, { status, body }: RawAnswer): string | undefined {
  if (refusal === undefined) return undefined;
  const type = refusal.type === '' ? '' : ((parsed(body)?.type as string | undefined) ?? '');
  const isRight = status === refusal.status && type === refusal.type;
  // The slot is taken before the export is looked for.
  if (refusal.type === '' && isForLackOfSlots(status, body)) return undefined;
  return isRight ? undefined : `${refusal.status} ${refusal.type} was to win`;
}

/** What is wrong with what came of a request, or undefined. */
export function faultOf(request: Malformed, { answers, end }: Outcome): string | undefined {
  const { ending, pieces, answers: expected } = request;
  const isNothing = pieces.every((piece) => piece.toString('latin1').trim() === '');
  if (end !== 'answered') return ending === 'reset' || isNothing ? undefined : end;
  if (expected !== undefined && answers.length !== expected) return `${answers.length} answers`;
  return answers.map(answerFault).find((fault) => fault !== undefined) ?? wrongRefusal(request, answers[0]!);
}

/** A request in few words. */
function shortened(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1').replaceAll(/zw_[\w-]+/g, 'TOKEN'));
  return text.length > 1500 ? `${text.slice(0, 1000)} … ${text.slice(-400)}` : text;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function note(tally: Tally, request: Malformed, outcome: Outcome): void {
  count(tally.kinds, request.kind);
  const statuses = outcome.answers.length === 0 ? ['none'] : outcome.answers.map(({ status }) => `${status}`);
  for (const status of statuses) count(tally.statuses, status);
  const fault = faultOf(request, outcome);
  if (fault === undefined) return;
  const last = outcome.answers.at(-1);
  const answer = last === undefined ? outcome.end : `${last.status} ${last.body.slice(0, 300)}`;
  tally.faults.push(
    `${request.kind}: ${fault}: ${answer}\n  asked: ${shortened(Buffer.concat(request.pieces))}`,
  );
}

export interface CampaignOptions {
  readonly service: Service;
  readonly requests: number;
  readonly seed: number;
  /** How many requests are under way at a time. */
  readonly parallel: number;
  /** The number of the first fixture, for a campaign that is continued. */
  readonly round?: number;
}

/** Sends so many malformed requests. Returns what was answered and what is wrong with it. */
export async function sendMalformed(options: CampaignOptions, tally: Tally = newTally()): Promise<Tally> {
  const { service, requests, seed, parallel, round = 0 } = options;
  const random = new Random(seed);
  const sender = new Sender(service.url);
  for (let sent = 0; sent < requests; sent += PER_FIXTURE) {
    const fixture = await prepareFixture(service, round + sent / PER_FIXTURE);
    await sendSome(
      sender,
      { fixture, random, parallel, some: Math.min(PER_FIXTURE, requests - sent) },
      tally,
    );
  }
  sender.close();
  return tally;
}

export function newTally(): Tally {
  return { statuses: new Map(), kinds: new Map(), faults: [] };
}

async function sendSome(
  sender: Sender,
  { fixture, random, parallel, some }: { fixture: Fixture; random: Random; parallel: number; some: number },
  tally: Tally,
): Promise<void> {
  let left = some;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = malformedRequest(fixture, random);
      note(tally, request, await sender.send(request));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
