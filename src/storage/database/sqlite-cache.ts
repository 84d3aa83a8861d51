/**
 * The cache of a connection that writes, in KiB, at most. Keys are random, so with the default 2 MiB a large import would
 * wait for the disk at each row.
 */
export const CACHE_KIB = 65_536;
