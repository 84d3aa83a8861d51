/** Kea's D2, which is told about leases as Kea's DHCP servers tell it. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../process.ts';

export interface Lease {
  readonly fqdn: string;
  readonly address: string;
  /** An octet that the identity of the client has again and again. */
  readonly client: number;
}

export interface D2 {
  /** Tells it that a lease begins or ends, and waits for what it logs about the outcome, such as `ADD_SUCCEEDED`. */
  tell(change: 'begins' | 'ends', lease: Lease): Promise<string>;
  remove(): Promise<void>;
}

const OUTCOME = /DHCP_DDNS_((?:ADD|REMOVE)_(?:SUCCEEDED|FAILED))/g;
const CHANGE_TYPES = { begins: 0, ends: 1 };

/** A name change request: its length and JSON. */
function requestOf(change: keyof typeof CHANGE_TYPES, { fqdn, address, client }: Lease): Buffer {
  const request = {
    'change-type': CHANGE_TYPES[change],
    'forward-change': true,
    'reverse-change': true,
    fqdn,
    'ip-address': address,
    dhcid: `000001${client.toString(16).padStart(2, '0').repeat(32)}`,
    'lease-expires-on': '20301231235959',
    'lease-length': 3600,
    'use-conflict-resolution': true,
  };
  const json = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(json.length);
  return Buffer.concat([length, json]);
}

/** True if a process listens on a UDP port of IPv4. */
function isBound(port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/udp', 'utf8').includes(`:${hex} 00000000:0000`);
}

/** @param configure returns the configuration for a port that is free */
export async function startD2(configure: (port: number) => string): Promise<D2> {
  const { path, remove } = temporaryFolder();
  const port = await freePort();
  const [file, logFile] = [join(path, 'd2.json'), join(path, 'log')];
  writeFileSync(file, configure(port));
  const log = openSync(logFile, 'a');
  const folders = { KEA_PIDFILE_DIR: path, KEA_LOCKFILE_DIR: path };
  const child = spawn('kea-dhcp-ddns', ['-c', file], {
    env: { ...process.env, PATH: `/usr/sbin:${process.env.PATH}`, ...folders },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn').catch((cause) => {
    throw new Error('D2 does not start. On Debian: apt-get install kea-dhcp-ddns-server.', { cause });
  });
  const ended = once(child, 'exit');
  const logged = () => {
    const text = readFileSync(logFile, 'utf8');
    if (child.exitCode !== null) throw new Error(`D2 ended: ${text}`);
    return text;
  };
  const outcomes = () => [...logged().matchAll(OUTCOME)].map(([, outcome]) => outcome!);
  await eventually(() => /DHCP_DDNS_STARTED/.test(logged()) || undefined);
  // It listens only after it has said so.
  await eventually(() => isBound(port) || undefined);
  const socket = createSocket('udp4');
  return {
    async tell(change, lease) {
      const before = outcomes().length;
      socket.send(requestOf(change, lease), port, '127.0.0.1');
      return eventually(() => outcomes()[before]);
    },
    async remove() {
      socket.close();
      child.kill('SIGTERM');
      await ended;
      remove();
    },
  };
}
