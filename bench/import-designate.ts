/**
 * What it takes to take over many zones from a Designate, and to compare them: seconds, and the memory of the command.
 * The Designate is a small one in this process, or the real one at an address.
 *
 *     npm run bench -- import-designate [--zones 10000] [--parallel 4] [--from http://controller:9001 --token TOKEN]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type DesignateData, startScriptedDesignate } from '../test/support/designate/scripted.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { storeOptions } from '../test/support/store.ts';
import { peakMemory } from './publication/processes.ts';

const { values: options } = parseArgs({
  options: {
    zones: { type: 'string', default: '10000' },
    parallel: { type: 'string', default: '4' },
    from: { type: 'string' },
    token: { type: 'string', default: 'any' },
  },
});
const PROJECTS = 100;
/** Often enough to miss little of the peak. */
const CHECK_MS = 200;

function fill(data: DesignateData, zones: number): void {
  for (let number = 0; number < zones; number++) {
    const name = `z${number}.example.org.`;
    const project_id = `project-${number % PROJECTS}`;
    const zone = data.zone(name, { project_id });
    data.recordset(zone, `www.${name}`, 'A', ['192.0.2.1', '192.0.2.2'], { ttl: 300 });
    data.recordset(zone, `www.${name}`, 'AAAA', ['2001:DB8::1']);
    data.recordset(zone, name, 'MX', ['10 mail.example.net.', '20 mail2.example.net.']);
    data.recordset(zone, name, 'TXT', ['"v=spf1 -all"']);
    data.recordset(zone, `_sip._tcp.${name}`, 'SRV', [`0 5 5060 www.${name}`]);
    data.quotas.set(project_id, { zones: -1 });
  }
}

const service = await startServiceProcess();
const designate = await startScriptedDesignate();
try {
  if (options.from === undefined) fill(designate.data, Number(options.zones));
  const { from = designate.url, token, parallel } = options;
  const args = ['import-designate', '--from', from, '--token', token, '--parallel', parallel];
  for (const what of ['first run', 'second run']) {
    const start = performance.now();
    const child = spawn(process.execPath, ['dist/main.js', ...args], {
      env: { ...process.env, ...storeOptions(service.dataDir) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    let peak = 0;
    const looking = setInterval(() => {
      peak = Math.max(peak, peakMemory(child.pid!) || 0);
    }, CHECK_MS);
    const [status] = await once(child, 'exit');
    clearInterval(looking);
    const seconds = (performance.now() - start) / 1000;
    console.log(`${what}: status ${status}, ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MiB at most`);
  }
} finally {
  await designate.stop();
  await service.remove();
}
