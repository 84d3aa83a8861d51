import type { Job } from '../../runtime/jobs.ts';
import type { BlacklistChecker } from './blacklist-checker.ts';

/**
 * Builds the blacklist index after the start, and keeps it up to date, so that creates rarely wait for it. A create that
 * arrives earlier waits for the same work.
 */
export function blacklistIndexJob(checker: Pick<BlacklistChecker, 'catchUp'>): Job {
  return {
    name: 'blacklist-index',
    intervalMs: 5000,
    retry: { firstMs: 100, factor: 2, maxMs: 5000 },
    async slice(signal) {
      try {
        await checker.catchUp(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return false;
    },
  };
}
