import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { issueToken } from '../domain/tokens/token-secret.ts';
import type { Store } from '../model/store.ts';

const OWNER_ONLY = 0o600;

/** Creates the file only if nothing exists there, and follows no link. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function writeDurably(file: string, text: string): void {
  const draft = `${file}.new`;
  // A leftover of a killed process, or a link to another file: remove the entry itself, never the link's target.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, NEW_FILE, OWNER_ONLY);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** A new file name is durable once its folder is synced. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates the first admin token, in the project `admin`, if the store has no tokens.
 * @returns the path of the file with the token, or undefined if tokens already exist
 */
export async function ensureFirstToken(
  store: Store,
  dataDir: string,
  now: string,
): Promise<string | undefined> {
  if (!(await store.apiTokens.isEmpty())) return undefined;
  return store.transaction(async (tx) => {
    if (!(await tx.apiTokens.lockEmpty())) return undefined;
    const { text, token } = issueToken({ projectId: 'admin', roles: ['admin'] }, now);
    tx.apiTokens.insert(token);
    // Before the commit: a token that is stored but not written to the file would lock everyone out.
    const file = join(dataDir, 'admin.token');
    writeDurably(file, `${text}\n`);
    return file;
  });
}
