import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../keystone/certificate.ts';
import { temporaryFolder } from '../process.ts';

/** Let's Encrypt's ACME server for tests, which asks the name server of the cloud about names. */
export interface Pebble {
  readonly directory: string;
  /** Commands that make clients trust its certificate. */
  readonly trust: string;
  remove(): Promise<void>;
}

/** Variables in which lego, curl and Python look for authorities. */
const TRUSTED_FILES = ['LEGO_CA_CERTIFICATES', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'];
const TO_INSTALL = 'On Debian: apt-get install pebble.';

async function configuration(): Promise<{ readonly listenAddress: string }> {
  return {
    listenAddress: `127.0.0.1:${await freePort()}`,
    ...{ managementListenAddress: '', certificate: CERTIFICATE_FILE, privateKey: KEY_FILE },
    ...{ httpPort: 1, tlsPort: 1, ocspResponderURL: '', externalAccountBindingRequired: false },
  };
}

/** Starts one on a free port. */
export async function startPebble(): Promise<Pebble> {
  const { path, remove } = temporaryFolder();
  const config = await configuration();
  const file = join(path, 'pebble.json');
  const logFile = join(path, 'log');
  writeFileSync(file, JSON.stringify({ pebble: config }));
  const { host, port } = inject('cloud').nameServer;
  const log = openSync(logFile, 'a');
  const child = spawn('pebble', ['-config', file, '-dnsserver', `${host}:${port}`], {
    // By itself it refuses some requests for no reason, which not every client takes, and asks for some proofs only once.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn').catch((cause) => {
    throw new Error(`pebble does not start. ${TO_INSTALL}`, { cause });
  });
  const ended = once(child, 'exit');
  await eventually(() => {
    const text = readFileSync(logFile, 'utf8');
    if (child.exitCode !== null) throw new Error(`pebble ended: ${text}`);
    return /Listening on/.test(text) || undefined;
  });
  return {
    directory: `https://${config.listenAddress}/dir`,
    trust: `export ${TRUSTED_FILES.map((name) => `${name}=${CERTIFICATE_FILE}`).join(' ')}`,
    async remove() {
      child.kill('SIGTERM');
      await ended;
      remove();
    },
  };
}
