// Runs every part of the check and says in the last line which of them failed. The tests run only if the quick parts pass.
import { spawnSync } from 'node:child_process';

const QUICK = ['check:format', 'check:types', 'check:console', 'check:layers', 'check:names', 'check:dead'];

/** Runs a script of package.json; gives whether it passed. */
function passes(script) {
  const begun = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${script}: ${status === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  return status === 0;
}

const failed = QUICK.filter((script) => !passes(script));
if (failed.length > 0) {
  console.log(`Failed: ${failed.join(', ')}. The tests did not run.`);
} else if (!passes('test')) {
  failed.push('test');
  console.log('Failed: test.');
}
process.exitCode = failed.length === 0 ? 0 : 1;
