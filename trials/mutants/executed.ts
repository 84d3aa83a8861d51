/** For the trial of mutants: notes the functions of src/ that each file of tests executes, in a line of JSON for each. */
import { appendFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { EXECUTED_FILE, type Executed } from './executed-functions.ts';

const session = new inspector.Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const begun = performance.now();

function functionsIn(scripts: readonly inspector.Profiler.ScriptCoverage[]): Executed['functions'] {
  const own = scripts.filter(({ url }) => /^file:.*\/src\//.test(url));
  return own.flatMap(({ url, functions }) => {
    const executed = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    const file = fileURLToPath(url).replace(/^.*\/src\//, 'src/');
    return executed.map(({ functionName }) => `${file} ${functionName}`);
  });
}

afterAll(() => {
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const { testPath = '' } = expect.getState();
    const seconds = (performance.now() - begun) / 1000;
    const line: Executed = {
      test: relative(process.cwd(), testPath),
      seconds,
      functions: functionsIn(result),
    };
    appendFileSync(process.env[EXECUTED_FILE]!, `${JSON.stringify(line)}\n`);
    session.disconnect();
  });
});
