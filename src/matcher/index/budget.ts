/**
 * The one currency of a check: a unit is about two nanoseconds of work. What a check is charged depends on its name
 * and on the patterns alone, so that every process comes to the same verdict, whatever it ran before.
 */
export const BUDGET = 5_000_000;

/** The real work after which a check goes on elsewhere: about a millisecond. */
export const SYNCHRONOUS = 400_000;

/** Units for one step of the machine that runs patterns one at a time. */
export const UNITS_PER_STEP = 8;

/** What every such pattern costs, before its first step. */
export const PROGRAM_COST = 200;

/** What compiling costs really, by character of the pattern. Never charged to a verdict. */
export const COMPILE_WORK = 500;

/** How many patterns an undecided check names. */
export const MOST_NAMED = 100;
