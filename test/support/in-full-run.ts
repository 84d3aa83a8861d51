import { it } from 'vitest';

/** A test of seconds of work, which the fast run leaves out of a file that it otherwise has. */
export const itInFullRun = (name: string, test: () => Promise<void>): void => {
  if ((process.env.TEST_SCOPE ?? 'fast') !== 'fast') it(name, test);
};
