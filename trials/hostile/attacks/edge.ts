/** Attacks before a request is understood: with connections, and with bodies that nobody has checked. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Answers, type Attack, pause } from '../attack.ts';
import type { Site } from '../site.ts';

/** How long an attacker holds what it has, in milliseconds. */
const HOLD_MS = 6000;
const BODY = 1_048_000;

/** The status with which each connection was answered first. */
const statuses = new WeakMap<Socket, string | undefined>();

function open(site: Site, localAddress: string): Socket {
  const { hostname, port } = new URL(site.service.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.once('data', (text) => statuses.set(socket, /^HTTP\/1.1 (\d+)/.exec(String(text))?.[1]));
  return socket.resume().on('error', () => {});
}

/** Waits until a connection was answered or closed, or so many milliseconds. */
async function settled(socket: Socket, milliseconds: number): Promise<void> {
  const waited = new AbortController();
  const { signal } = waited;
  const ends = [once(socket, 'data', { signal }), once(socket, 'close', { signal }), pause(milliseconds)];
  await Promise.race(ends.map((end) => end.catch(() => {})));
  waited.abort();
}

const headOf = (site: Site, project: string, type: string, length: number): string =>
  `POST /v2/zones${type === 'text/dns' ? '/tasks/imports' : ''} HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: ${site.token(project)}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** What somebody waits who comes to the service anew. */
async function newcomer(site: Site, answers: Answers): Promise<void> {
  const began = performance.now();
  const socket = open(site, '127.0.0.3');
  socket.write(
    `GET /v2/zones HTTP/1.1\r\nHost: localhost\r\nX-Auth-Token: ${site.token('third')}\r\nConnection: close\r\n\r\n`,
  );
  await settled(socket, HOLD_MS);
  socket.destroy();
  const answer = statuses.get(socket) ?? 'no answer';
  answers.note(`a newcomer: ${answer} after ${Math.round(performance.now() - began)} ms`);
}

/** Counts how the service answered connections, or that it closed or kept them, and closes them. */
function outcomes(sockets: readonly Socket[], answers: Answers): void {
  for (const socket of sockets) {
    answers.note(statuses.get(socket) ?? (socket.destroyed || socket.readableEnded ? 'closed' : 'kept'));
    socket.destroy();
  }
}

const halfHeads: Attack = {
  name: 'half-heads',
  title: '2,500 connections of one address that send half a head, of 1,500 that there may be',
  environment: { ZONEWARDEN_SERVICE_API__MAX_CONNECTIONS: '1500' },
  async prepare(site) {
    site.token('third');
    return async (answers) => {
      const sockets = Array.from({ length: 2500 }, () => open(site, '127.0.0.2'));
      for (const socket of sockets) socket.write('GET /v2/zones HTTP/1.1\r\nX-A: ');
      await pause(2000);
      await newcomer(site, answers);
      outcomes(sockets, answers);
    };
  },
};

const manyBodies: Attack = {
  name: 'many-bodies',
  title: '1,200 connections of one member, each with a body of 1 MB that lacks its end',
  async prepare(site) {
    const head = headOf(site, 'attacker', 'application/json', BODY + 1);
    site.token('third');
    return async (answers) => {
      const text = ' '.repeat(BODY);
      const sockets = Array.from({ length: 1200 }, (_, at) => open(site, `127.0.0.${2 + (at % 4)}`));
      for (const socket of sockets) socket.write(head + text);
      await pause(HOLD_MS);
      await newcomer(site, answers);
      outcomes(sockets, answers);
    };
  },
};

const manyImports: Attack = {
  name: 'many-imports',
  title: '600 imports of 900 kB at once, each a zone of 480 recordsets',
  async prepare(site) {
    const lines = Array.from(
      { length: 480 },
      (_, at) => `h${at} 60 TXT ${`"${'x'.repeat(250)}" `.repeat(7)}\n`,
    );
    await site.allow('attacker', { zones: -1 });
    return async (answers, round) => {
      const sockets = Array.from({ length: 600 }, (_, at) => {
        const name = `hostile-${round}-${at}.example.`;
        const file = `$ORIGIN ${name}\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n${lines.join('')}`;
        const socket = open(site, '127.0.0.2');
        socket.write(headOf(site, 'attacker', 'text/dns', file.length) + file);
        return socket;
      });
      await Promise.all(sockets.map((socket) => settled(socket, 60_000)));
      outcomes(sockets, answers);
    };
  },
};

const trickle: Attack = {
  name: 'trickle',
  title: 'eight bodies of 1 MB that arrive at 100 kB/s, where a request may take 2 s',
  environment: { ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: '2' },
  async prepare(site) {
    const head = headOf(site, 'attacker', 'application/json', BODY);
    return async (answers) => {
      const began = performance.now();
      const sockets = Array.from({ length: 8 }, () => open(site, '127.0.0.2'));
      const ends = sockets.map(async (socket) => {
        socket.write(head);
        const timer = setInterval(() => socket.write(' '.repeat(10_000)), 100);
        await settled(socket, 60_000);
        clearInterval(timer);
        const seconds = Math.round((performance.now() - began) / 1000);
        answers.note(`${statuses.get(socket)} after ${seconds} s`);
        socket.destroy();
      });
      await Promise.all(ends);
    };
  },
};

export const EDGE_ATTACKS: readonly Attack[] = [halfHeads, manyBodies, manyImports, trickle];
