/** What was decided before the transaction no longer holds, so it has to be decided again: the blacklists have changed, or one has expired. */
export class StaleRevision extends Error {}
