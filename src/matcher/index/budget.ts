/**
 * The budget of a check, in units of two to three nanoseconds of work. The charge for a check depends only on its name
 * and the patterns, so that every process reaches the same verdict, whatever it ran before.
 */
export const BUDGET = 30_000_000;

/** Actual work after which a check is completed elsewhere: less than a millisecond. */
export const SYNCHRONOUS = 400_000;

/** Maximum work to compile one pattern while others wait. */
export const COMPILE_HERE = 300_000;

/** Maximum work to analyse a pattern while others wait: a few milliseconds. */
export const ANALYSE_HERE = 3_000_000;

/** Maximum work to build the sieve of a pattern; beyond it the pattern runs without one. */
export const PREFILTER_WORK = 5_000_000;

/** Units for one step of the machines that run patterns individually. */
export const UNITS_PER_STEP = 6;

/** Cost of each such pattern before its first step. */
export const PROGRAM_COST = 200;

/** Charge for a conditional pattern that matches: 300 of them use up the whole budget. */
export const CONDITIONAL_COST = 100_000;

/** Charge for a match that is only noted: 10,000 of them use up the whole budget for notes. */
export const NOTED_COST = 3000;

/** Actual work of recording a match. */
export const KEEPING = 25;

/** Maximum number of patterns named by an undecided check, and in notes. */
export const MAX_NAMED = 100;
