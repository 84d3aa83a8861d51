/** The blacklists changed, or an entry expired, after the decision was made outside the transaction: decide again. */
export class StaleRevision extends Error {}
