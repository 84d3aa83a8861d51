/** Runs before each test file of the project: from here on every store is a database on the server of the run. */
import { afterAll, inject } from 'vitest';
import { dropDatabases } from '../store.ts';

process.env.TEST_POSTGRES = inject('postgres');
// After the file's own: services are gone by then.
afterAll(dropDatabases);
