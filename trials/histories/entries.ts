/** Blacklist entries that come, go and change their terms beside a history, and what they do to its creates. */
import { MODES } from '../../src/model/blacklists/blacklist.ts';
import { Dice } from '../chaos/dice.ts';
import { type Asked, type Exception, type Met, Place, type Terms, watchAll } from './entry-model.ts';
import type { HistoryClient } from './history.ts';

export interface EntriesSettings {
  readonly client: HistoryClient;
  readonly admin: string;
  readonly projectIds: readonly string[];
  readonly seed: number;
  readonly faults: string[];
  count(kind: string): void;
}

type Answer = Awaited<ReturnType<HistoryClient['request']>>;

/** So few that most creates meet entries which have just changed, and two entries at a time. */
const GROUPS = 3;
const PLACES = 2;
const PATH = '/v2/blacklists';
const WARNING = '299 - "This name matches a rule that will be enforced"';
const PAST = '2001-01-01T00:00:00.000000';
const FUTURE = '2999-01-01T00:00:00.000000';

const exceptionToWire = ({ projectId, name, isOver }: Exception) => ({
  ...(projectId === null ? {} : { project_id: projectId }),
  ...(name === null ? {} : { name }),
  ...(isOver ? { expires_at: PAST } : {}),
});

/** The terms as they are written; whether an expiry is far away or none is no matter. */
function termsToWire({ mode, isOver, exceptions }: Partial<Terms>, dice: Dice) {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(isOver === undefined ? {} : { expires_at: isOver ? PAST : dice.pick([null, FUTURE])! }),
    ...(exceptions === undefined ? {} : { exceptions: exceptions.map(exceptionToWire) }),
  };
}

const groupOf = (name: string): number => Number(/-g(\d+)\./.exec(name)?.[1] ?? Number.NaN);

/** What an answer says that its create has met; undefined where it says nothing of it. */
function matchesOf({ status, json, headers }: Answer): Met | undefined {
  if (status === 400 && json.type === 'invalid_zone_name') return 'refused';
  if (status >= 300) return undefined;
  const warning = headers.get('warning');
  if (warning === null) return 'passed';
  return warning === WARNING ? 'warned' : undefined;
}

/** Entries are asked before quotas: what a quota refuses was not refused by an entry. */
function isAmong(possible: ReadonlySet<Met>, met: Met | undefined, { status }: Answer): boolean {
  if (met !== undefined) return possible.has(met);
  return status === 413 && [...possible].some((one) => one !== 'refused');
}

export class Entries {
  readonly #settings: EntriesSettings;
  readonly #dice: Dice;
  readonly #places: readonly Place[];
  /** Names of zones to come that an exception has. */
  readonly #promised: string[] = [];
  readonly #met: Record<Met, number> = { refused: 0, warned: 0, passed: 0 };
  #certain = 0;
  #names = 0;

  constructor(settings: EntriesSettings) {
    this.#settings = settings;
    this.#dice = new Dice(settings.seed);
    this.#places = Array.from({ length: GROUPS * PLACES }, (_, place) => {
      const group = place % GROUPS;
      return new Place(group, `^z\\d+-\\d+-g${group}\\.(?#${place})`);
    });
  }

  /** What the creates have met of whose names entries could match. */
  get met(): Readonly<Record<Met, number>> {
    return this.#met;
  }

  /** How many of these could have met nothing else. */
  get certain(): number {
    return this.#certain;
  }

  /** The name of a new zone: half of them may match entries. */
  newName(): string {
    if (this.#dice.chance(0.2) && this.#promised.length > 0) return this.#promised.shift()!;
    return this.#drawName(this.#dice.chance(0.5) ? `-g${this.#dice.int(0, GROUPS - 1)}` : '');
  }

  #drawName(suffix: string): string {
    return `z${this.#settings.seed}-${++this.#names}${suffix}.example.`;
  }

  /** Watches what a create may meet, and holds its answer against that; says whether an entry has refused it. */
  watch(kind: string, asked: Asked): (answer: Answer) => boolean {
    const places = this.#places.filter(({ group }) => group === groupOf(asked.name));
    const end = watchAll(places, asked);
    return (answer) => {
      const possible = end();
      const met = matchesOf(answer);
      if (!isAmong(possible, met, answer)) this.#fault(kind, asked, possible, answer);
      if (met !== undefined && places.length > 0) {
        this.#met[met]++;
        if (possible.size === 1) this.#certain++;
      }
      return met === 'refused';
    };
  }

  #fault(kind: string, { name, projectId }: Asked, possible: ReadonlySet<Met>, answer: Answer): void {
    const met = matchesOf(answer) ?? `${answer.status} ${answer.json.message}`;
    const text = `${name} of ${projectId} is ${met}, and can only be ${[...possible].join(' or ')}`;
    this.#settings.faults.push(`${kind}: ${text}`);
  }

  /** Adds an entry, takes it away, or changes its terms. */
  async turn(): Promise<void> {
    const place = this.#dice.pick(this.#places.filter(({ isChanging }) => !isChanging));
    if (place === undefined) return;
    place.isChanging = true;
    if (place.state === undefined) await this.#add(place);
    else if (this.#dice.chance(0.1)) await this.#remove(place);
    else await this.#change(place, place.state);
    place.isChanging = false;
  }

  async #add(place: Place): Promise<void> {
    const isPlain = this.#dice.chance(0.5);
    const terms: Terms = {
      mode: this.#dice.pick(MODES)!,
      isOver: !isPlain && this.#drawsPast(),
      exceptions: isPlain ? [] : this.#drawExceptions(place),
    };
    const body = { pattern: place.pattern, ...termsToWire(terms, this.#dice) };
    const json = await this.#send('add entry', place, terms, ['POST', PATH, 201, body]);
    place.id = json.id as string;
  }

  async #remove(place: Place): Promise<void> {
    await this.#send('remove entry', place, undefined, ['DELETE', `${PATH}/${place.id}`, 204]);
    place.id = undefined;
  }

  async #change(place: Place, before: Terms): Promise<void> {
    const changes = this.#drawChanges(place, before);
    const body = termsToWire(changes, this.#dice);
    const kind = `change ${Object.keys(body).join()} of entry`;
    await this.#send(kind, place, { ...before, ...changes }, ['PATCH', `${PATH}/${place.id}`, 200, body]);
  }

  /** One term at a time; most often the mode. */
  #drawChanges(place: Place, { mode }: Terms): Partial<Terms> {
    if (this.#dice.chance(0.5)) return { mode: this.#dice.pick(MODES.filter((one) => one !== mode))! };
    return this.#dice.chance(0.4)
      ? { isOver: this.#drawsPast() }
      : { exceptions: this.#drawExceptions(place) };
  }

  #drawsPast(): boolean {
    return this.#dice.chance(0.3);
  }

  /** Some for a project, some for the name of a zone to come, some for both; no two are for the same. */
  #drawExceptions({ group }: Place): readonly Exception[] {
    return Array.from({ length: this.#dice.int(0, 2) }, () => {
      const kind = this.#dice.pick(['project', 'name', 'both'])!;
      const projectId = kind === 'name' ? null : this.#dice.pick(this.#settings.projectIds)!;
      return { projectId, name: kind === 'project' ? null : this.#promise(group), isOver: this.#drawsPast() };
    }).filter(({ projectId, name }, at, all) => {
      return all.findIndex((one) => one.projectId === projectId && one.name === name) === at;
    });
  }

  #promise(group: number): string {
    const name = this.#drawName(`-g${group}`);
    this.#promised.push(name);
    return name;
  }

  async #send(
    kind: string,
    place: Place,
    next: Terms | undefined,
    [method, path, expected, body]: readonly [string, string, number, object?],
  ): Promise<Record<string, unknown>> {
    const { client, admin, faults, count } = this.#settings;
    count(kind);
    const settle = place.begin(next);
    const { status, json } = await client.request(method, path, { token: admin, body });
    settle(status === expected);
    if (status !== expected) faults.push(`${kind}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  /** When all is quiet, the service has exactly the entries of the model. */
  async compare(): Promise<void> {
    const { client, admin, faults } = this.#settings;
    const { json } = await client.request('GET', PATH, { token: admin });
    const rows = json.blacklists as { id: string; mode?: string; exceptions?: unknown[] }[];
    for (const { id, pattern, state } of this.#places) {
      const row = rows.find((one) => one.id === id);
      const found = row && `${row.mode ?? 'enforce'}, ${row.exceptions?.length ?? 0} exceptions`;
      const expected = state && `${state.mode}, ${state.exceptions.length} exceptions`;
      if (found !== expected) faults.push(`${pattern} is stored with ${found}, the model has ${expected}`);
    }
  }
}
