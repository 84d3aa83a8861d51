/** What holds for sets of many clients in one zone: each does what its plan showed, or nothing. */
import type { Random } from '../../test/support/random.ts';
import { effectsOf, noCounts } from './alone.ts';
import { drawLikelySet, drawSet } from './draw.ts';
import { type Ask, requireEqual, type SetAnswer, SetZone } from './zone.ts';

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly before: unknown;
  readonly after: unknown;
}

export class CrowdedZone {
  readonly #random: Random;
  readonly #zone: SetZone;
  readonly #clients: number;
  readonly counts = noCounts();

  private constructor(random: Random, zone: SetZone, clients: number) {
    this.#random = random;
    this.#zone = zone;
    this.#clients = clients;
  }

  static async create(ask: Ask, random: Random, label: string, clients: number): Promise<CrowdedZone> {
    return new CrowdedZone(random, await SetZone.create(ask, `${label}.example.`), clients);
  }

  async #planAndMake(): Promise<SetAnswer | undefined> {
    const random = this.#random;
    const changes = random.chance(0.2) ? drawSet(random) : drawLikelySet(random);
    this.counts.sets += 1;
    const dry = await this.#zone.send(changes, { dry_run: true });
    if (dry.status >= 300 || dry.json.plan === null || dry.json.status === 'REFUSED') return undefined;
    const made = await this.#zone.send(changes, { plan: dry.json.plan });
    if (made.status >= 300) {
      this.counts.refused += 1;
      return undefined;
    }
    requireEqual('The plan', made.json.plan, dry.json.plan, changes);
    requireEqual('The effects of a plan', effectsOf(made), effectsOf(dry), changes);
    this.counts.made += 1;
    return made.json.id === null ? undefined : made;
  }

  /** One set of each client, at once. In the order of their ids, each starts where the one before it ended. */
  async round(): Promise<void> {
    const states = new Map(await this.#zone.states());
    const ended = await Promise.all(Array.from({ length: this.#clients }, () => this.#planAndMake()));
    const made = ended.filter((one) => one !== undefined);
    made.sort((one, other) => (one.json.id < other.json.id ? -1 : 1));
    for (const { json } of made) {
      for (const { name, type, before, after } of json.changes as readonly Entry[]) {
        const key = `${name} ${type}`;
        requireEqual('Where a set starts', states.get(key) ?? null, before, json);
        if (after === null) states.delete(key);
        else states.set(key, after);
      }
    }
    const sorted = (all: ReadonlyMap<string, unknown>) =>
      [...all].sort(([one], [other]) => (one < other ? -1 : 1));
    requireEqual(
      'What the sets lead to',
      sorted(await this.#zone.states()),
      sorted(states),
      'all sets of a round',
    );
  }
}
