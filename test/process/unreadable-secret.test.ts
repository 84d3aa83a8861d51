import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { accessAdvice } from '../../src/assembly/webhook-config.ts';
import { temporaryFolder } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('says which user may not read the secret of a webhook, and what to do', () => {
  expect(accessAdvice('/etc/zonewarden/billing.secret', 998, 997)).toBe(
    'The service runs as user 998 (group 997), which may not read it. As root, run: chgrp 997 /etc/zonewarden/billing.secret; ' +
      'chmod 640 /etc/zonewarden/billing.secret. The group also needs access to the folders above it.',
  );
});

/** Debian's nobody, where the test may become another user; else the user who runs it. */
function reader(): { readonly uid: number; readonly gid: number } {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  return uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
}

it('says what helps: once that is done, the user of the service can read the secret', () => {
  const file = join(folder.path, 'billing.secret');
  writeFileSync(file, 'whsec_c2VjcmV0\n');
  chmodSync(folder.path, 0o755);
  const { uid, gid } = reader();
  chmodSync(file, process.getuid!() === 0 ? 0o600 : 0);
  const read = () => spawnSync('cat', [file], { uid, gid, encoding: 'utf8' });
  expect(read()).toMatchObject({ status: 1, stdout: '' });
  const [, commands] = /As root, run: (.*)\. The group/.exec(accessAdvice(file, uid, gid)) ?? [];
  execFileSync('sh', ['-e', '-c', commands!]);
  expect(read()).toMatchObject({ status: 0, stdout: 'whsec_c2VjcmV0\n' });
});
