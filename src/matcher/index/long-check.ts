import type { BitLayout } from './bit-layout.ts';
import type { Job, ProgramWork, Verdict, Workshop } from './decision.ts';
import { decide } from './decision.ts';
import { layoutOf } from './groups.ts';
import { compile, type Program } from './programs.ts';
import { Recent } from './recent.ts';
import { sieveOf } from './sieve.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** A pattern by its key and source. */
type Source = readonly [key: number, source: string];

/** A check that has used up its time where it began, as plain data, so that it can be finished anywhere. */
export interface LongCheck {
  readonly forms: readonly string[];
  readonly works: readonly {
    readonly form: number;
    readonly sieves: boolean;
    readonly members: readonly Source[];
  }[];
  readonly programs: readonly ProgramWork[];
  readonly sources: readonly Source[];
  readonly spent: number;
  readonly matched: number;
  readonly suspects: readonly number[];
  readonly heavy: readonly number[];
}

export function postponed(job: Job, workshop: Workshop): LongCheck {
  const sourceOf = (key: number): Source => [key, workshop.sourceOf(key)];
  return {
    forms: job.forms,
    works: job.works.map(({ run, form, sieves }) => ({
      form,
      sieves,
      members: Array.from(run.union.members.keys(), sourceOf),
    })),
    programs: job.programs,
    sources: [...keysToRun(job)].map(sourceOf),
    spent: job.spent,
    matched: job.matched,
    suspects: job.suspects ?? [],
    heavy: job.heavy,
  };
}

/** The patterns that are to be run by themselves, and those that a sieve may yet let through. */
function keysToRun(job: Job): Set<number> {
  const keys = new Set(job.programs.map(({ key }) => key));
  for (const { run, sieves } of job.works) {
    if (sieves) for (const key of run.union.members.keys()) keys.add(key);
  }
  return keys;
}

/** Finishes a check: the verdict that it would have come to at once, had it had the time. */
export function finish(rest: LongCheck): Verdict {
  const job: Job = {
    forms: rest.forms,
    works: rest.works.map(({ form, sieves, members }) => ({
      form,
      sieves,
      run: new UnionRun(unionOf(members, sieves), ROOM),
    })),
    programs: [...rest.programs],
    spent: rest.spent,
    matched: rest.matched,
    suspects: rest.suspects,
    heavy: [...rest.heavy],
  };
  return decide(job, new Bench(rest.sources), { left: Infinity })!;
}

/** In bytes: what one check may keep of states. */
const ROOM = 4 << 20;

/** What has been compiled for the checks before: much of it is needed again. It never shows in a verdict. */
const layouts = new Recent<string, BitLayout>(5000);
const sieveLayouts = new Recent<string, BitLayout>(5000);
const programs = new Recent<string, Program>(5000);

function unionOf(members: readonly Source[], sieves: boolean): Union {
  const union = new Union();
  const known = sieves ? sieveLayouts : layouts;
  const make = sieves ? sieveOf : layoutOf;
  for (const [key, source] of members) {
    union.add(
      key,
      known.get(source, () => make(source)!),
    );
  }
  return union;
}

/** Where the patterns of one check are compiled, or found. */
class Bench implements Workshop {
  private readonly sources: ReadonlyMap<number, string>;

  constructor(sources: readonly Source[]) {
    this.sources = new Map(sources);
  }

  ready(): boolean {
    return true;
  }

  sourceOf(key: number): string {
    return this.sources.get(key)!;
  }

  program(key: number): Program {
    const source = this.sourceOf(key);
    return programs.get(source, () => compile(source));
  }
}
