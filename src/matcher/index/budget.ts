/**
 * The one currency of a check: a unit is two to three nanoseconds of work. What a check is charged depends on its name
 * and on the patterns alone, so that every process comes to the same verdict, whatever it ran before.
 */
export const BUDGET = 30_000_000;

/** The real work after which a check goes on elsewhere: less than a millisecond. */
export const SYNCHRONOUS = 400_000;

/** The most work to make one pattern ready to be run where others wait for it. */
export const COMPILE_HERE = 300_000;

/** The most work to find out what a pattern needs where others wait for it: some milliseconds. */
export const ANALYSE_HERE = 3_000_000;

/** The most work to make the sieve of a pattern; past that it is run without one. */
export const SIEVE_WORK = 5_000_000;

/** Units for one step of the machines that run patterns one at a time. */
export const UNITS_PER_STEP = 6;

/** What every such pattern costs, before its first step. */
export const PROGRAM_COST = 200;

/** What a conditional pattern that matches is charged: 300 of them are the whole budget. */
export const CONDITIONAL_COST = 100_000;

/** What a pattern is charged that matches and is only noted: 10,000 of them are the whole budget of those. */
export const NOTED_COST = 3000;

/** The real work of keeping a match. */
export const KEEPING = 25;

/** How many patterns an undecided check names, and notes. */
export const MOST_NAMED = 100;
