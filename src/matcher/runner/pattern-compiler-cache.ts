import type { CharSet } from '../ast.ts';
import type { BitLayout } from '../index/bit-layout.ts';
import { BoundedCache } from '../index/kept.ts';
import { PackedRunner } from '../index/packed-run.ts';
import { type Role, roleOf } from '../index/role.ts';
import type { Symbols } from '../index/symbols.ts';
import { compileProgram, type Program } from '../run/program.ts';
import { PatternError } from '../syntax/error.ts';
import { parsePattern } from '../syntax/parse.ts';
import type { CompiledPattern } from './compiled-pattern.ts';
import { LayoutArena, NO_LAYOUT } from './layout-arena.ts';
import { SetTable } from './set-table.ts';

/** Memory for compiled patterns, in bytes. */
const MAX_BYTES = { layouts: 256 << 20, sets: 32 << 20, programs: 96 << 20, roles: 32 << 20 } as const;

/** Charge for rebuilding a layout during a check, in units per character of the pattern. */
const REMAKING = 2000;

/** Returns the source of a pattern; undefined if it is not available. */
export type SourceOf = (entry: CompiledPattern) => string | undefined;

/** Compiles the patterns of a roster, and keeps the results as far as there is room. */
export class PatternCompilerCache {
  private readonly layouts = new LayoutArena(MAX_BYTES.layouts);
  private readonly sets = new SetTable(MAX_BYTES.sets);
  private readonly programs = new BoundedCache<number, Program>(MAX_BYTES.programs);
  /** Layouts for which there was no room in `layouts`. */
  private readonly roles = new BoundedCache<number, Role>(MAX_BYTES.roles);
  private readonly runner = new PackedRunner();
  private chunk: Int32Array = new Int32Array(0);
  private numbersAt = 0;
  private remade = 0;
  private charged = 0;
  private readonly keptSet = (number: number): CharSet => this.sets.at(this.chunk[this.numbersAt + number]!);

  /** Determines how a pattern is run. */
  prepare(entry: CompiledPattern, source: string): void {
    if (entry.ready) return;
    entry.ready = true;
    try {
      const pattern = parsePattern(source);
      const role = roleOf(pattern);
      entry.prefilters = role.prefilters;
      entry.hasLayout = role.layout !== undefined;
      if (role.layout !== undefined) this.keepLayout(entry, role, role.layout);
      if (role.prefilters) this.keepProgram(entry.key, compileProgram(pattern));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      entry.broken = true;
    }
  }

  /** True if the layout can be run without the source. */
  hasAtHand(entry: CompiledPattern, plain: boolean): boolean {
    return (
      (entry.layout !== NO_LAYOUT && (entry.hasSets || plain)) || this.roles.find(entry.key) !== undefined
    );
  }

  hasProgram(entry: CompiledPattern): boolean {
    return this.programs.find(entry.key) !== undefined;
  }

  /** Adds to the charges, and returns the units. */
  charge(units: number): number {
    this.charged += units;
    return units;
  }

  /** Returns the charges since the last call, in units. */
  takeCharged(): number {
    const { charged } = this;
    this.charged = 0;
    return charged;
  }

  /** Cost of the last run of a layout. */
  get cost(): number {
    return this.runner.cost + this.remade;
  }

  /** True if the layout of a pattern matches; undefined if it has to be rebuilt and the source is missing. */
  finds(entry: CompiledPattern, text: Symbols, sourceOf: SourceOf): boolean | undefined {
    this.remade = 0;
    if (entry.layout !== NO_LAYOUT && (entry.hasSets || text.plain)) {
      this.chunk = this.layouts.chunkOf(entry.layout);
      const at = this.layouts.offsetOf(entry.layout);
      this.numbersAt = at + entry.length - entry.sets;
      return this.runner.run(this.chunk, at, this.keptSet, text);
    }
    const layout = this.layoutAnew(entry, sourceOf);
    return layout && this.runner.run(layout.data, 0, (number) => layout.sets[number]!, text);
  }

  /** Undefined if it has to be rebuilt and the source is missing. */
  program(entry: CompiledPattern, sourceOf: SourceOf): Program | undefined {
    const known = this.programs.find(entry.key);
    if (known !== undefined) return known;
    const source = sourceOf(entry);
    if (source === undefined) return undefined;
    const program = compileProgram(parsePattern(source));
    this.keepProgram(entry.key, program);
    return program;
  }

  discard(entry: CompiledPattern): void {
    this.programs.delete(entry.key);
    this.roles.delete(entry.key);
    if (entry.layout === NO_LAYOUT) return;
    const chunk = this.layouts.chunkOf(entry.layout);
    const end = this.layouts.offsetOf(entry.layout) + entry.length;
    this.sets.release(chunk.subarray(end - entry.sets, end));
    this.layouts.release(entry.layout, entry.length);
    entry.layout = NO_LAYOUT;
  }

  private keepProgram(key: number, program: Program): void {
    this.programs.keep(key, program, program.size);
  }

  private keepLayout(entry: CompiledPattern, role: Role, { data, sets }: BitLayout): void {
    const known = this.sets.takeAll(sets);
    const numbers = known ?? new Int32Array(0);
    const whole = new Int32Array(data.length + numbers.length);
    whole.set(data);
    whole.set(numbers, data.length);
    entry.layout = this.layouts.keep(whole);
    entry.length = whole.length;
    entry.sets = numbers.length;
    entry.hasSets = known !== undefined;
    if (entry.layout === NO_LAYOUT) this.sets.release(numbers);
    if (entry.layout === NO_LAYOUT) this.roles.keep(entry.key, role, sizeOf(data, sets));
  }

  private layoutAnew(entry: CompiledPattern, sourceOf: SourceOf): BitLayout | undefined {
    const known = this.roles.find(entry.key);
    if (known !== undefined) return known.layout;
    const source = sourceOf(entry);
    if (source === undefined) return undefined;
    this.remade = source.length * REMAKING;
    const role = roleOf(parsePattern(source));
    if (role.layout !== undefined)
      this.roles.keep(entry.key, role, sizeOf(role.layout.data, role.layout.sets));
    return role.layout;
  }
}

function sizeOf(data: Int32Array, sets: readonly CharSet[]): number {
  return 500 + data.byteLength + sets.reduce((sum, set) => sum + 64 + set.length * 8, 0);
}
