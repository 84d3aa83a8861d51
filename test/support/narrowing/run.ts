/** Random chains of tokens, each created by the one before, and random requests with one and its creator. */
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../random.ts';
import type { Answer, TestService } from '../service.ts';
import { Marks, type Place } from './alphabet.ts';
import { hasSucceeded, listKeyOf, readFault } from './compare.ts';
import { Drawing } from './drawing.ts';
import { READS } from './reads.ts';
import type { DrawnRequest } from './requests.ts';
import { type DrawnScope, drawScope, readsPlace, readsZone } from './scopes.ts';
import { planState, Side } from './side.ts';
import { WRITES } from './writes.ts';

/** Tokens in a chain; attempts to find a narrower scope; requests of a pair. */
const CHAIN = 4;
const ATTEMPTS = 12;
const REQUESTS = 24;
const CHAINS = 3;
const WRITING = 0.3;

export interface NarrowingCounts {
  pairs: number;
  refusedScopes: number;
  reads: number;
  /** Successful ones of the narrower token. */
  readsDone: number;
  /** Those that show the narrower one less. */
  less: number;
  writes: number;
  writesDone: number;
}

/** One token with its copy on the other side. */
interface Twins {
  readonly scope: DrawnScope;
  readonly first: string;
  readonly second: string;
}

export class NarrowingFault extends Error {}

interface RoundWorld {
  readonly random: Random;
  readonly marks: Marks;
  readonly shareScope: DrawnScope | undefined;
}

class Round {
  readonly #random: Random;
  readonly #marks: Marks;
  readonly #first: Side;
  readonly #second: Side;
  /** Of the share of a zone of the other project. */
  readonly #shareScope: DrawnScope;
  readonly #counts: NarrowingCounts;

  private constructor(
    { random, marks, shareScope = {} }: RoundWorld,
    sides: readonly [Side, Side],
    counts: NarrowingCounts,
  ) {
    this.#random = random;
    this.#marks = marks;
    this.#shareScope = shareScope;
    [this.#first, this.#second] = sides;
    this.#counts = counts;
  }

  static async open(service: TestService, seed: number, counts: NarrowingCounts): Promise<Round> {
    const [random, marks] = [new Random(seed), new Marks()];
    const state = planState(random, marks);
    const first = await Side.create(service, `u${seed}`, state);
    const second = await Side.create(service, `v${seed}`, state);
    return new Round({ random, marks, shareScope: state.shareScope }, [first, second], counts);
  }

  async run(): Promise<void> {
    for (let chain = 0; chain < CHAINS; chain += 1) {
      let wide: Twins = { scope: {}, first: this.#first.member, second: this.#second.member };
      for (let length = 1; length < CHAIN; length += 1) {
        const narrow = await this.#narrower(wide);
        if (narrow === undefined) break;
        this.#counts.pairs += 1;
        for (let asked = 0; asked < REQUESTS; asked += 1) await this.#askBoth(wide, narrow);
        wide = narrow;
      }
      await this.#requireAlike();
    }
  }

  /** A token that another one creates; undefined if none was found. */
  async #narrower(wide: Twins): Promise<Twins | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const scope = drawScope(this.#random, wide.scope);
      const body = { scope };
      const request = { method: 'POST', path: '/v2/tokens', body };
      const first = await this.#first.ask(wide.first, request);
      const second = await this.#second.ask(wide.second, request);
      if (first.status === 201 && second.status === 201)
        return { scope, first: first.json.token, second: second.json.token };
      this.#counts.refusedScopes += 1;
      const statuses = [first.status, second.status];
      // The sides differ in what their tokens have written.
      if (statuses.includes(201) && !statuses.includes(429))
        this.#fail('is created on one side', { request, answers: [first, second] });
    }
    return undefined;
  }

  async #askBoth(wide: Twins, narrow: Twins): Promise<void> {
    const drawing = new Drawing(this.#random, this.#marks, narrow.scope);
    const isWriting = this.#random.chance(WRITING);
    const request = this.#random.weighted(isWriting ? WRITES : READS)(drawing);
    await (isWriting ? this.#write(request, wide, narrow) : this.#read(request, wide, narrow));
  }

  async #read(request: DrawnRequest, wide: Twins, narrow: Twins): Promise<void> {
    this.#counts.reads += 1;
    const answer = await this.#whole(narrow.first, request);
    await this.#requireNothingHidden(request, narrow, answer);
    const other = await this.#whole(wide.first, request);
    if (hasSucceeded(answer)) this.#counts.readsDone += 1;
    if (hasSucceeded(answer) && answer.text.length < other.text.length) this.#counts.less += 1;
    const fault = readFault(request, answer, other);
    if (fault !== undefined) this.#fail(fault, { request, wide, narrow, answers: [answer, other] });
  }

  /** On one side the narrower token writes, and if it may, on the other side its creator. */
  async #write(request: DrawnRequest, wide: Twins, narrow: Twins): Promise<void> {
    this.#counts.writes += 1;
    const answer = await this.#first.ask(narrow.first, request);
    await this.#requireNothingHidden(request, narrow, answer);
    if (!hasSucceeded(answer)) return;
    this.#counts.writesDone += 1;
    const other = await this.#second.ask(wide.second, request);
    if (!hasSucceeded(other)) this.#fail('succeeds', { request, wide, narrow, answers: [answer, other] });
    this.#first.forget();
    this.#second.forget();
  }

  /** What the narrower tokens wrote on one side is what their creators wrote on the other. */
  async #requireAlike(): Promise<void> {
    const [states, others] = [await this.#first.state(), await this.#second.state()];
    if (!isDeepStrictEqual(states, others))
      throw new NarrowingFault(`The sides differ: ${JSON.stringify([states, others], undefined, 1)}`);
  }

  /** An answer with all pages of a list. */
  async #whole(token: string, request: DrawnRequest): Promise<Answer> {
    const answer = await this.#first.ask(token, request);
    const key = listKeyOf(answer.json);
    if (key === undefined || request.method !== 'GET') return answer;
    const items = [...answer.json[key]];
    for (let { links } = answer.json; links.next !== undefined; ) {
      const { pathname, search } = new URL(links.next);
      const { json } = await this.#first.ask(token, { method: 'GET', path: `${pathname}${search}` });
      items.push(...json[key]);
      links = json.links;
    }
    const json = { ...answer.json, [key]: items };
    return { ...answer, json, text: JSON.stringify(json) };
  }

  /** No answer has data, or ids, of what the scope does not let read, unless the request has them. */
  async #requireNothingHidden(request: DrawnRequest, narrow: Twins, answer: Answer): Promise<void> {
    const asked = JSON.stringify(await this.#first.resolved(request));
    const marks = this.#marks.in(answer.text).filter(([, place]) => !this.#mayRead(narrow, place));
    const ids = this.#first
      .idsIn(answer.text)
      .filter(
        ([, zone, place]) => !readsZone(narrow.scope, zone) || (place && !this.#mayRead(narrow, place)),
      );
    const hidden = [...marks, ...ids].map(([one]) => one).filter((one) => !asked.includes(one));
    if (hidden.length > 0) this.#fail(`shows ${hidden.join(', ')}`, { request, narrow, answers: [answer] });
  }

  #mayRead({ scope }: Twins, place: Place): boolean {
    const isShared = place.zone.isShared === true;
    return readsPlace(scope, place) && (!isShared || readsPlace(this.#shareScope, place));
  }

  #fail(
    fault: string,
    about: { readonly answers: readonly Answer[]; readonly [key: string]: unknown },
  ): never {
    const answers = about.answers.map(({ status, text }) => `${status} ${text.slice(0, 3000)}`);
    throw new NarrowingFault(
      `The narrower token ${fault}: ${JSON.stringify({ ...about, answers, label: this.#first.label }, undefined, 1)}`,
    );
  }
}

/** @throws NarrowingFault */
export async function tryNarrowing(
  service: TestService,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<NarrowingCounts> {
  const counts = { pairs: 0, refusedScopes: 0, reads: 0, readsDone: 0, less: 0, writes: 0, writesDone: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const one = await Round.open(service, seed + round, counts);
    await one.run();
  }
  return counts;
}
