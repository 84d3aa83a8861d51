/** What a create meets of blacklist entries that change meanwhile: all that any order of the operations allows. */
import type { Mode } from '../../src/model/blacklists/blacklist.ts';

const MET = ['refused', 'warned', 'passed'] as const;
export type Met = (typeof MET)[number];

/** A create, as far as entries look at it. */
export interface Asked {
  readonly projectId: string;
  readonly name: string;
}

export interface Exception {
  readonly projectId: string | null;
  readonly name: string | null;
  /** It no longer applies. */
  readonly isOver: boolean;
}

export interface Terms {
  readonly mode: Mode;
  /** The entry no longer holds. */
  readonly isOver: boolean;
  readonly exceptions: readonly Exception[];
}

/** Undefined: there is no such entry. */
export type State = Terms | undefined;

function applies({ projectId, name, isOver }: Exception, asked: Asked): boolean {
  const isProject = projectId === null || projectId === asked.projectId;
  return !isOver && isProject && (name === null || name === asked.name);
}

/** What a matching name meets of one entry alone. */
function metOf(state: State, asked: Asked): Met {
  if (state === undefined || state.isOver) return 'passed';
  if (state.exceptions.some((exception) => applies(exception, asked))) return 'passed';
  return ({ enforce: 'refused', warn: 'warned', audit: 'passed' } as const)[state.mode];
}

/**
 * What a create may meet of several entries together: the strictest of them decides.
 * @param each what it may meet of each
 */
function together(each: readonly ReadonlySet<Met>[]): ReadonlySet<Met> {
  const some = (met: Met) => each.some((one) => one.has(met));
  const all = (...of: readonly Met[]) => each.every((one) => of.some((met) => one.has(met)));
  const possible = { refused: some('refused'), warned: some('warned') && all('warned', 'passed') };
  return new Set(MET.filter((met) => (met === 'passed' ? all('passed') : possible[met])));
}

/** The place of one entry: what stands there, or may stand there while a change of it is under way. */
export class Place {
  readonly group: number;
  readonly pattern: string;
  id: string | undefined;
  /** One change at a time, so that the model knows what it changes. */
  isChanging = false;
  #possible: readonly State[] = [undefined];
  readonly #watchers = new Set<Set<State>>();

  constructor(group: number, pattern: string) {
    this.group = group;
    this.pattern = pattern;
  }

  /** What stands there, when no change is under way. */
  get state(): State {
    return this.#possible[0];
  }

  /** Announces a change; the answer settles whether it happened. */
  begin(next: State): (happened: boolean) => void {
    const before = this.state;
    this.#possible = [before, next];
    for (const seen of this.#watchers) seen.add(next);
    return (happened) => {
      this.#possible = [happened ? next : before];
    };
  }

  /** Watches what may stand there until it is asked. */
  watch(): () => ReadonlySet<State> {
    const seen = new Set(this.#possible);
    this.#watchers.add(seen);
    return () => {
      this.#watchers.delete(seen);
      return seen;
    };
  }
}

/** Watches the entries that match a name until it is asked what a create of it may have met since then. */
export function watchAll(places: readonly Place[], asked: Asked): () => ReadonlySet<Met> {
  const watches = places.map((place) => place.watch());
  return () => together(watches.map((end) => new Set([...end()].map((state) => metOf(state, asked)))));
}
