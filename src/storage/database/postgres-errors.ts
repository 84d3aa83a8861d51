/** A lock time-out. */
export const LOCK_NOT_AVAILABLE = '55P03';
