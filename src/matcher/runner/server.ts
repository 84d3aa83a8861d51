import { CandidateRunner } from './candidate-runner.ts';
import { decodeRole, type RunnerRequest, type RunnerResponse } from './messages.ts';
import { SourceArena } from './source-arena.ts';

/** Time to spend on preparing patterns between messages, in milliseconds. */
const GO = 3;

/** Answers requests from a roster, and prepares its patterns when idle. */
export class CandidateRunnerServer {
  private readonly arena = new SourceArena(0);
  private readonly candidates = new CandidateRunner((place) => this.arena.read(place));
  private readonly answer: (answer: RunnerResponse) => void;
  private waiting: number[] = [];
  private next = 0;
  private awake = false;

  constructor(answer: (answer: RunnerResponse) => void) {
    this.answer = answer;
  }

  take(request: RunnerRequest): void {
    switch (request.kind) {
      case 'chunk':
        this.arena.chunks.push(request.chunk);
        break;
      case 'change':
        this.change(request.added, request.removed);
        break;
      case 'prepare':
        this.candidates.prepare(request.key, request.source);
        break;
      case 'check':
        // Discards the charges of other tasks, such as notes.
        this.candidates.takeCharged();
        this.answer({
          ...this.candidates.finish(request.rest, request.fetched),
          charged: this.candidates.takeCharged(),
        });
        break;
      case 'note':
        this.answer(this.candidates.note(request.rest, request.fetched));
        break;
      case 'explain':
        this.answer(this.candidates.explain(request.rest, request.fetched));
        break;
      case 'survey':
        this.answer(this.candidates.survey(request.rest, request.fetched, request.max));
    }
  }

  private change(added: Float64Array, removed: Int32Array): void {
    for (let i = 0; i < added.length; i += 3) {
      const { everywhere, kind } = decodeRole(added[i + 2]!);
      this.candidates.add(added[i]!, added[i + 1]!, everywhere, kind);
      this.waiting.push(added[i]!);
    }
    for (const key of removed) this.candidates.remove(key);
    this.answer({ kind: 'changed' });
    this.wake();
  }

  private wake(): void {
    if (this.awake || this.next >= this.waiting.length) return;
    this.awake = true;
    setImmediate(() => {
      this.awake = false;
      this.prepare();
      this.wake();
    });
  }

  private prepare(): void {
    const until = performance.now() + GO;
    while (this.next < this.waiting.length && performance.now() < until) {
      this.candidates.prepare(this.waiting[this.next++]!);
    }
    if (this.next < this.waiting.length) return;
    this.waiting = [];
    this.next = 0;
  }
}
