/** A lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';
