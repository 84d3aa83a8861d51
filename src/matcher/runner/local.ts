import type { PatternKind } from '../index/traits.ts';
import { CandidateRunner } from './candidate-runner.ts';
import { SourceArena } from './source-arena.ts';

/** Holds the patterns that have to be run, in the thread of the index. */
export class LocalRunners {
  readonly candidates = new CandidateRunner((place) => this.arena.read(place));
  private readonly arena = new SourceArena(Number.POSITIVE_INFINITY);
  private readonly places = new Map<number, number>();

  add(key: number, source: string, everywhere: boolean, kind: PatternKind): void {
    const place = this.arena.keep(source);
    this.places.set(key, place);
    this.candidates.add(key, place, everywhere, kind);
  }

  remove(key: number): void {
    const place = this.places.get(key);
    if (place === undefined) return;
    this.candidates.remove(key);
    this.arena.release(place);
    this.places.delete(key);
  }

  has(key: number): boolean {
    return this.places.has(key);
  }

  sourceOf(key: number): string | undefined {
    const place = this.places.get(key);
    return place === undefined ? undefined : this.arena.read(place);
  }
}
