/** Maximum number of refusals of one project that a process stores as events in an hour. */
export const LISTED_IN_HOUR = 1000;
/** Maximum number of projects tracked per hour; refusals of any others are only counted. */
const MAX_PROJECTS = 10_000;
/** Maximum number of blacklists with their own counter per hour; counters of any others are merged. */
const MAX_BLACKLISTS = 10_000;

/** Limits what refusals store per hour, whatever causes them. */
export class HourlyShares {
  #hour = '';
  #ofProject = new Map<string, number>();
  #blacklists = new Set<string>();

  /** Uses up one refusal of the project's share; returns false if the share is spent. */
  take(hour: string, projectId: string): boolean {
    this.#turnTo(hour);
    const before = this.#ofProject.get(projectId);
    if (before === undefined && this.#ofProject.size >= MAX_PROJECTS) return false;
    if (before !== undefined && before >= LISTED_IN_HOUR) return false;
    this.#ofProject.set(projectId, (before ?? 0) + 1);
    return true;
  }

  /** The blacklist to count a refusal under; '' if there are too many. */
  blacklistFor(hour: string, blacklistId: string): string {
    this.#turnTo(hour);
    if (blacklistId === '' || this.#blacklists.has(blacklistId)) return blacklistId;
    if (this.#blacklists.size >= MAX_BLACKLISTS) return '';
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
