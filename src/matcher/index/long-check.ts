import type { Job, ProgramWork, Verdict, Workshop } from './decision.ts';
import { decide } from './decision.ts';
import { layoutOf } from './groups.ts';
import { compile, type Program } from './programs.ts';
import { Union } from './union.ts';
import { UnionRun } from './union-run.ts';

/** A pattern by its key and source. */
type Source = readonly [key: number, source: string];

/** A check that has used up its time where it began, as plain data, so that it can be finished anywhere. */
export interface LongCheck {
  readonly forms: readonly string[];
  readonly works: readonly { readonly form: number; readonly members: readonly Source[] }[];
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
    works: job.works.map(({ run, form }) => ({
      form,
      members: Array.from(run.union.members.keys(), sourceOf),
    })),
    programs: job.programs,
    sources: [...new Set(job.programs.map(({ key }) => key))].map(sourceOf),
    spent: job.spent,
    matched: job.matched,
    suspects: job.suspects ?? [],
    heavy: job.heavy,
  };
}

/** Finishes a check: the verdict that it would have come to at once, had it had the time. */
export function finish(rest: LongCheck): Verdict {
  const job: Job = {
    forms: rest.forms,
    works: rest.works.map(({ form, members }) => ({ form, run: new UnionRun(unionOf(members)) })),
    programs: [...rest.programs],
    spent: rest.spent,
    matched: rest.matched,
    suspects: rest.suspects,
    heavy: [...rest.heavy],
  };
  return decide(job, new Bench(rest.sources), { left: Infinity })!;
}

function unionOf(members: readonly Source[]): Union {
  const union = new Union();
  for (const [key, source] of members) union.add(key, layoutOf(source)!);
  return union;
}

/** Compiles the patterns of one check. */
class Bench implements Workshop {
  private readonly sources: ReadonlyMap<number, string>;
  private readonly programs = new Map<number, Program>();

  constructor(sources: readonly Source[]) {
    this.sources = new Map(sources);
  }

  ready(key: number): boolean {
    return this.programs.has(key);
  }

  sourceOf(key: number): string {
    return this.sources.get(key)!;
  }

  program(key: number): Program {
    let program = this.programs.get(key);
    if (program === undefined) {
      program = compile(this.sourceOf(key));
      this.programs.set(key, program);
    }
    return program;
  }
}
