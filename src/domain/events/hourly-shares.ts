/** Refusals of one project that are events of their own in an hour, of one process. */
export const LISTED_IN_HOUR = 1000;
/** Projects whose share is looked after; those of others are counted only. */
const MOST_PROJECTS = 10_000;
/** Blacklists that refusals are counted by in an hour: those beyond are lumped together. */
const MOST_BLACKLISTS = 10_000;

/** What refusals may take of the store in an hour, whoever causes them. */
export class HourlyShares {
  #hour = '';
  #ofProject = new Map<string, number>();
  #blacklists = new Set<string>();

  /** Whether one more refusal of a project is listed; it is taken off its share then. */
  take(hour: string, projectId: string): boolean {
    this.#turnTo(hour);
    const before = this.#ofProject.get(projectId);
    if (before === undefined && this.#ofProject.size >= MOST_PROJECTS) return false;
    if (before !== undefined && before >= LISTED_IN_HOUR) return false;
    this.#ofProject.set(projectId, (before ?? 0) + 1);
    return true;
  }

  /** The blacklist that a refusal is counted by; '' where there are too many. */
  blacklistFor(hour: string, blacklistId: string): string {
    this.#turnTo(hour);
    if (blacklistId === '' || this.#blacklists.has(blacklistId)) return blacklistId;
    if (this.#blacklists.size >= MOST_BLACKLISTS) return '';
    this.#blacklists.add(blacklistId);
    return blacklistId;
  }

  #turnTo(hour: string): void {
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#ofProject = new Map();
    this.#blacklists = new Set();
  }
}
