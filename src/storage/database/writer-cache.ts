/**
 * Maximum cache of a writing connection, in KiB. Keys are random, so with the default of 2 MiB a large import would
 * wait for the disk at every row.
 */
export const CACHE_KIB = 65_536;
