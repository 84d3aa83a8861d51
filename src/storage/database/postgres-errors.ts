/** A lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** A key that is already there. */
export const UNIQUE_VIOLATION = '23505';
